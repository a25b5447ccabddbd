import { describe, expect, it, onTestFinished } from 'vitest';
import { currentProduct } from './demo.ts';
import { visit } from './visitor.ts';

describe('the API reference', () => {
  it('renders, searches and sends a request without contacting another host', async () => {
    const { page, context, faults } = await visit({ viewport: { width: 1400, height: 900 } });
    onTestFinished(() => context.close());
    const hosts = new Set<string>();
    context.on('request', (request) => hosts.add(new URL(request.url()).host));
    await page.goto('/api/docs');
    await page.getByRole('heading', { level: 1, name: 'Officium' }).waitFor();

    await page.getByRole('button', { name: 'Open Search' }).click();
    await page.keyboard.type('readSession');
    await page.getByRole('option', { name: /Path: \/api\/auth\/session$/ }).click();
    await page.getByRole('button', { name: /^Test Request.*get \/api\/auth\/session\)/ }).click();
    const answer = page.waitForResponse('**/api/auth/session');
    await page.getByRole('button', { name: /^Send get request/ }).click();
    expect((await answer).status()).toBe(200);

    expect([...hosts]).toEqual([new URL((await currentProduct()).url).host]);
    expect(faults).toEqual([]);
  });

  it('falls back to the plain page without JavaScript', async () => {
    const { page, context } = await visit({ javaScriptEnabled: false });
    onTestFinished(() => context.close());
    await page.goto('/api/docs');
    await page.waitForURL('**/api/docs/plain');
    await page.getByRole('heading', { level: 1, name: /Officium API/ }).waitFor();
  });
});
