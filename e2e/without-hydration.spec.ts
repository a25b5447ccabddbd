import { expect, it } from 'vitest';
import { currentProduct } from './demo.ts';
import { PASSWORD, sharedBrowser } from './visitor.ts';

it('a page that differs from what the browser renders works as without script', { timeout: 120_000 }, async () => {
  const { url } = await currentProduct();
  const context = await (await sharedBrowser()).newContext({ baseURL: url, locale: 'en', serviceWorkers: 'block' });
  try {
    await context.request.post('/api/auth/logins', { data: { email: 'learner@example.gov', password: PASSWORD } });
    const page = await context.newPage();
    let sent = 0;
    await page.route('**/courses', async (route) => {
      sent += 1;
      const reply = await route.fetch();
      await route.fulfill({ response: reply, body: (await reply.text()).replace(/<h1[^>]*>/, '$&Other words. ') });
    });
    const failed = page.waitForEvent('pageerror');
    await page.goto('/courses');
    await failed;
    await expect.poll(() => sent).toBe(2);
    await page.getByRole('heading', { level: 1, name: /^Other words\./ }).waitFor();
    await page.getByRole('link', { name: 'Articles', exact: true }).first().click();
    await page.waitForURL('**/articles');
    await page.waitForFunction(() => document.documentElement.dataset['hydrated'] !== undefined);
  } finally {
    await context.close();
  }
});
