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
  ])('serves %s the application, which comes to life', async (_, enter) => {
    const { page } = await enter({ baseURL: product.url });
    await page.goto('/articles'); // waits until it has
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Articles');
    expect(await page.locator('html').getAttribute('data-hydrated')).not.toBeNull();
  });
});
