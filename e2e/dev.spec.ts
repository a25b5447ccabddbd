import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDemo, type DemoProduct } from './demo.ts';
import { visit, visitAs } from './visitor.ts';

let product: DemoProduct;
beforeAll(async () => {
  product = await startDemo({}, { args: ['--dev'] });
});
afterAll(async () => {
  await product.stop();
});

describe('npm run dev', () => {
  it.each([
    ['visitors', visit],
    ['members', (options: { baseURL: string }) => visitAs('learner', options)],
  ])('serves %s the application and hydrates it', async (_, enter) => {
    const { page } = await enter({ baseURL: product.url });
    // Waits for hydration. The first page also waits until Vite has bundled all dependencies.
    await page.goto('/articles', { timeout: 100_000 });
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Articles');
    expect(await page.locator('html').getAttribute('data-hydrated')).not.toBeNull();
  });
});
