import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startIdentityProvider, type TestProvider } from '../server/test/identity-provider.ts';
import { axeFaults } from './axe.ts';
import { startDemo, type DemoProduct } from './demo.ts';
import { freePort } from '../server/test/process.ts';
import { isTooWide, PASSWORD, visit } from './visitor.ts';

let product: DemoProduct;
let provider: TestProvider;
beforeAll(async () => {
  const port = await freePort();
  provider = await startIdentityProvider(`http://localhost:${port}/login/provider`);
  product = await startDemo({ PORT: String(port), ...provider.settings, OIDC_PUBLIC_SERVANT_GROUPS: 'staff' });
});
afterAll(async () => {
  await product.stop();
  await provider.stop();
});

describe('signing in with the organisation’s provider', () => {
  it.each([true, false])('returns to the requested page, with JavaScript: %s', async (javaScriptEnabled) => {
    const email = `noor-${javaScriptEnabled}@city.example.org`;
    provider.employ({ sub: email, email, email_verified: true, name: 'Noor Visser', groups: ['staff'] });
    const { page, context, faults } = await visit({ baseURL: product.url, javaScriptEnabled });
    await page.goto('/login?next=/me/settings');
    if (javaScriptEnabled) expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('link', { name: 'Sign in with City of Example' }).click();
    await page.getByRole('heading', { name: 'Profile', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/me/settings');
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Noor Visser');
    expect(await (await context.request.get('/api/auth/session')).json()).toMatchObject({
      viewer: { email, role: 'public-servant' },
    });
    expect(faults).toEqual([]);
    await context.close();
  });

  it.each([true, false])(
    'opens an administrator’s account once connected, with JavaScript: %s',
    async (javaScriptEnabled) => {
      const email = 'admin@example.gov';
      provider.employ({ sub: `admin-${javaScriptEnabled}`, email, email_verified: true, name: 'Ada' });
      const { page, context, faults } = await visit({ baseURL: product.url, javaScriptEnabled });
      await page.goto('/login');
      await page.getByRole('link', { name: 'Sign in with City of Example' }).click();
      await page.getByText('This address belongs to an account with rights in the administration.').waitFor();
      await page.getByRole('link', { name: 'Sign in another way' }).click();
      const form = page.locator('form').filter({ has: page.getByLabel('Password') });
      await form.getByLabel('E-mail address').fill(email);
      await form.getByLabel('Password').fill(PASSWORD);
      await form.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByRole('heading', { name: 'Sign in with City of Example', level: 2 }).waitFor();
      if (javaScriptEnabled) expect(await axeFaults(page)).toEqual([]);
      await page.getByRole('link', { name: 'Connect', exact: true }).click();
      await page.getByRole('heading', { name: 'Sign-in protection', level: 1 }).waitFor();

      await context.clearCookies();
      await page.goto('/login');
      await page.getByRole('link', { name: 'Sign in with City of Example' }).click();
      await page.waitForURL((url) => url.pathname === '/');
      expect(await (await context.request.get('/api/auth/session')).json()).toMatchObject({ viewer: { email } });
      expect(faults).toEqual([]);
      await context.close();
    },
  );

  it('explains a failure and how to continue', async () => {
    provider.close();
    const { page, context } = await visit({ baseURL: product.url, viewport: { width: 320, height: 640 } });
    await page.goto('/login');
    await page.getByRole('link', { name: 'Sign in with City of Example' }).click();
    await page.getByText('Your organisation did not confirm your identity.').waitFor();
    expect(await axeFaults(page)).toEqual([]);
    expect(await isTooWide(page)).toBe(false);
    await page.getByRole('link', { name: 'Sign in another way' }).click();
    await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
    await context.close();
  });

  it('cannot be completed with another browser’s link', async () => {
    provider.employ({ sub: 'mallory', email: 'mallory@city.example.org', email_verified: true });
    const started = await fetch(`${product.url}/login/provider/start`, { redirect: 'manual' });
    const answer = await provider.visit(started.headers.get('location') ?? '');
    const { page, context } = await visit({ baseURL: product.url });
    await page.goto(`/login/provider?${answer}`);
    await page.getByText('This sign-in took too long or was tried too often. Start again.').waitFor();
    expect(await context.cookies()).toEqual([]);
    await context.close();
  });
});
