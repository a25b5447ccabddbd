import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { query } from '../server/test/cluster.ts';
import { axeFaults } from './axe.ts';
import { startDemo, type DemoProduct } from './demo.ts';
import { codeOf } from './totp.ts';
import { PASSWORD, visit } from './visitor.ts';

/** One administrator per variant, because a factor stays once it is set up. */
const ADMINISTRATORS = [
  { email: 'admin@example.gov', password: PASSWORD, javaScriptEnabled: true },
  { email: 'moderator@example.gov', password: PASSWORD, javaScriptEnabled: false },
];

async function signIn(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await page.goto('/login?next=/admin');
  const form = page.locator('form').filter({ has: page.getByLabel('Password') });
  await form.getByLabel('E-mail address').fill(email);
  await form.getByLabel('Password').fill(password);
  await form.getByRole('button', { name: 'Sign in', exact: true }).click();
}

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 });

describe.each(['required', 'screens'] as const)(
  'an administrator without a second factor, ADMIN_SECOND_FACTOR=%s',
  (mode) => {
    let product: DemoProduct;
    beforeAll(async () => {
      product = await startDemo({ ADMIN_SECOND_FACTOR: mode });
      await query(product.databaseUrl, "update users set role = 'administrator' where email = 'moderator@example.gov'");
    }, 120_000);
    afterAll(async () => await product.stop());

    it.each(ADMINISTRATORS)(
      'must set one up and then reaches the administration, with JavaScript: $javaScriptEnabled',
      { timeout: 120_000 },
      async ({ email, password, javaScriptEnabled }) => {
        const { page, context, faults } = await visit({ baseURL: product.url, javaScriptEnabled });
        await signIn(page, { email, password });
        if (mode === 'required') {
          await page.getByText('Set up a second step first: administrators need one here.').waitFor();
          // axe waits for timers, which never fire without JavaScript.
          if (javaScriptEnabled) expect(await axeFaults(page)).toEqual([]);
          expect((await context.request.get('/admin/people')).status()).toBe(403);
          await page.getByRole('main').getByRole('link').click();
        }
        await heading(page, 'Sign-in protection').waitFor();
        await page.getByText('Administrators need a second step.').waitFor();

        await page.getByRole('button', { name: 'Set up an app' }).click();
        await page.getByAltText('Code to scan with your app').waitFor();
        const secret = ((await page.locator('p.font-mono').textContent()) ?? '').replaceAll(' ', '');
        await page.getByLabel('Code from your app').fill('000000');
        await page.getByRole('button', { name: 'Turn on' }).click();
        await page.getByRole('alert').waitFor();
        expect((await page.locator('p.font-mono').textContent())?.replaceAll(' ', '')).toBe(secret); // the same secret, so that the code need not be scanned again
        await page.getByLabel('Code from your app').fill(codeOf(secret));
        await page.getByRole('button', { name: 'Turn on' }).click();
        await page.getByText('Your new recovery codes').waitFor();
        await expect.poll(() => page.getByRole('status').getByRole('listitem').count()).toBe(10);

        await page.goto('/admin');
        await heading(page, 'Overview').waitFor();

        // The next sign-in asks for the factor.
        const again = await visit({ baseURL: product.url, javaScriptEnabled });
        await signIn(again.page, { email, password });
        await heading(again.page, 'One more step').waitFor();
        await again.page.getByLabel('Code from your app').fill(codeOf(secret, 1)); // each time step is valid once
        await again.page.locator('form').filter({ hasText: 'Code from your app' }).getByRole('button').click();
        await heading(again.page, 'Overview').waitFor();
        expect([...faults, ...again.faults]).toEqual([]);
        await again.context.close();
        await context.close();
      },
    );
  },
);
