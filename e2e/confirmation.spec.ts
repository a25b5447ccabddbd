import type { APIRequestContext, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { query } from '../server/test/cluster.ts';
import { currentProduct } from './demo.ts';
import { visitAgain, visitAsNewcomer } from './newcomer.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Makes a user's sign-ins too old to count as recent and waits until the product notices. */
async function ageSignIn(request: APIRequestContext, userId: string): Promise<void> {
  const { databaseUrl } = await currentProduct();
  await query(
    databaseUrl,
    `update sessions set authenticated_at = now() - interval '16 minutes' where user_id = '${userId}';
    select pg_notify('officium_sessions', '${userId}')`,
  );
  const isRecent = async () => (await (await request.get('/api/auth/session/confirmation')).json()).recent;
  await expect.poll(isRecent).toBe(false);
}

describe('irreversible and whole-account actions', () => {
  it.each([true, false])(
    'send the user through the confirmation and back, with JavaScript: %s',
    { timeout: 120_000 },
    async (javaScriptEnabled) => {
      const person = await visitAsNewcomer('Ines Duarte');
      const { page, context } = await visitAgain(person, { javaScriptEnabled });
      const confirmThen = async (path: string) => {
        await page.waitForURL((url) => url.pathname === '/confirm');
        await page.getByLabel('Password').fill(person.password);
        await button(page, 'Confirm').click();
        await page.waitForURL((url) => url.pathname === path);
      };
      await ageSignIn(context.request, person.id);
      await page.goto('/me/settings/privacy');
      await button(page, 'Request my data').click();
      await confirmThen('/me/settings/privacy');
      await button(page, 'Request my data').click();
      await page.getByText('We’ll also e-mail you when it is ready.').waitFor();

      const fetchIt = page.getByRole('link', { name: 'Download' });
      await expect.poll(async () => (await page.reload(), await fetchIt.count()), { timeout: 40_000 }).toBe(1);
      await ageSignIn(context.request, person.id);
      await fetchIt.click();
      await confirmThen('/me/settings/privacy');
      const [file] = await Promise.all([page.waitForEvent('download'), fetchIt.click()]);
      expect(file.suggestedFilename()).toMatch(/^export-.*\.zip$/);

      await ageSignIn(context.request, person.id);
      await page.goto('/me/settings/delete');
      const name = page.getByLabel('To confirm, type your name: Ines Duarte');
      await name.fill('Ines Duarte');
      await button(page, 'Delete my account for good').click();
      await confirmThen('/me/settings/delete');
      await name.fill('Ines Duarte');
      await button(page, 'Delete my account for good').click();
      await page.getByRole('heading', { level: 1, name: 'Goodbye' }).waitFor();
      for (const each of [person.context, context]) await each.close();
    },
  );
});
