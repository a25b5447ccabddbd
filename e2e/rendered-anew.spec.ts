import { expect, it } from 'vitest';
import { visitAs } from './visitor.ts';

it('a page that differs from what the browser renders is rendered anew, and works', { timeout: 120_000 }, async () => {
  const { page, faults } = await visitAs('learner');
  await page.route('**/courses', async (route) => {
    const reply = await route.fetch();
    await route.fulfill({ response: reply, body: (await reply.text()).replace(/<h1[^>]*>/, '$&Other words. ') });
  });
  await page.goto('/courses');
  await expect.poll(async () => await page.locator('h1').innerText()).not.toContain('Other words.');
  expect(faults).toEqual([expect.stringContaining('#418')]); // reported, so that other tests notice a page that differs
  await page.getByRole('link', { name: 'Articles', exact: true }).first().click();
  await page.waitForURL('**/articles');
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect(faults).toHaveLength(1);
});
