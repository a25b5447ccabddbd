import { request } from 'node:http';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { axeFaults } from './axe.ts';
import { currentProduct } from './demo.ts';
import { visitAsNewcomer, type Newcomer } from './newcomer.ts';
import { codeOf } from './totp.ts';
import { isTooWide, visit, visitAs } from './visitor.ts';

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 });

async function setUpApp(page: Page): Promise<{ secret: string; recoveryCodes: string[] }> {
  await page.goto('/me/settings/security');
  await button(page, 'Set up an app').click();
  await page.getByAltText('Code to scan with your app').waitFor();
  const shown = await page.locator('p.font-mono').textContent();
  const secret = (shown ?? '').replaceAll(' ', '');
  await page.getByLabel('Code from your app').fill(codeOf(secret));
  await button(page, 'Turn on').click();
  await page.getByText('Your new recovery codes').waitFor();
  return { secret, recoveryCodes: await page.getByRole('status').getByRole('listitem').allTextContents() };
}

async function signIn(page: Page, { email, password }: Newcomer): Promise<void> {
  await page.goto('/login?next=/me/settings');
  const form = page.locator('form').filter({ has: page.getByLabel('Password') });
  await form.getByLabel('E-mail address').fill(email);
  await form.getByLabel('Password').fill(password);
  await form.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Returns the name of the error, if any. */
function writeUntrusted(): string | undefined {
  try {
    document.body.innerHTML = '<b>Not from our policy</b>';
    return undefined;
  } catch (error) {
    return (error as Error).name;
  }
}

describe('an authenticator app', () => {
  it('is set up and required at the next sign-in, or a recovery code', { timeout: 120_000 }, async () => {
    const person = await visitAsNewcomer('Ines Duarte');
    const { secret, recoveryCodes } = await setUpApp(person.page);
    expect(recoveryCodes).toHaveLength(10);
    const again = await visit();
    await signIn(again.page, person);
    await heading(again.page, 'One more step').waitFor();
    expect(await axeFaults(again.page)).toEqual([]);
    await again.page.getByLabel('Code from your app').fill('000000');
    await again.page.locator('form').filter({ hasText: 'Code from your app' }).getByRole('button').click();
    await again.page.getByText('This is not correct, or was used before.').waitFor();
    await again.page.getByLabel('Code from your app').fill(codeOf(secret, 1));
    await again.page.locator('form').filter({ hasText: 'Code from your app' }).getByRole('button').click();
    await expect.poll(() => new URL(again.page.url()).pathname).toBe('/me/settings');

    const third = await visit();
    await signIn(third.page, person);
    await heading(third.page, 'One more step').waitFor();
    await third.page.getByLabel('Recovery code').fill(recoveryCodes[0] ?? '');
    await third.page.locator('form').filter({ hasText: 'Recovery code' }).getByRole('button').click();
    await expect.poll(() => new URL(third.page.url()).pathname).toBe('/me/settings');
    for (const one of [person, again, third]) {
      expect(one.faults).toEqual([]);
      await one.context.close();
    }
  });
});

describe('passkeys', () => {
  it('are added and named, and sign in without a password', { timeout: 120_000 }, async () => {
    const person = await visitAsNewcomer('Ines Duarte');
    const { page, context } = person;
    const devices = await context.newCDPSession(page);
    await devices.send('WebAuthn.enable');
    await devices.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
      },
    });
    await page.goto('/me/settings/security');
    await page.getByLabel('Name', { exact: true }).fill('Work laptop');
    await button(page, 'Add a passkey').click();
    await page.getByText('Your new recovery codes').waitFor();
    await page.getByText('Work laptop', { exact: true }).waitFor();
    expect(await axeFaults(page)).toEqual([]);

    await context.clearCookies();
    await page.goto('/login?next=/me/settings/security');
    await button(page, 'Sign in with a passkey').click();
    await heading(page, 'Sign-in protection').waitFor();
    await page.getByText(/last used/).waitFor();

    await context.clearCookies();
    await signIn(page, person);
    await heading(page, 'One more step').waitFor();
    await button(page, 'Use a passkey').click();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/me/settings');

    await page.goto('/me/settings/security');
    await page.getByText('Remove this passkey…').click();
    await button(page, 'Remove this passkey').click();
    await page.getByText('Your account has no second step yet.').waitFor();
    expect(person.faults).toEqual([]);
    await context.close();
  });

  it('are not offered without JavaScript', async () => {
    const { page, context } = await visit({ javaScriptEnabled: false });
    await page.goto('/login');
    await heading(page, 'Sign in').waitFor();
    expect(await button(page, 'Sign in with a passkey').count()).toBe(0);
    await context.close();
  });
});

describe('people in the administration', () => {
  it.each([true, false])('are found, decided on and erased, with JavaScript: %s', async (javaScriptEnabled) => {
    const newcomer = await visitAsNewcomer('Amara Diallo', { domain: 'example.org' });
    const { page, faults, context } = await visitAs('admin', { javaScriptEnabled });
    await page.goto('/admin/people');
    await page.getByLabel('Name or e-mail address').fill(newcomer.email);
    await page.getByLabel('Status').selectOption({ label: 'Waiting for a decision' });
    await button(page, 'Apply').click();
    await page.waitForURL(/q=/);
    const rows = page.getByRole('table').getByRole('row');
    await expect.poll(() => rows.count()).toBe(2);
    await page.getByRole('link', { name: 'Amara Diallo' }).click();
    await heading(page, 'Amara Diallo').waitFor();
    await page.getByLabel('Approve as a public servant').check();
    await button(page, 'Save decision').click();
    await page.getByText('Saved.', { exact: true }).waitFor();

    await page.getByRole('link', { name: 'Erase this person' }).click();
    await heading(page, 'Erase Amara Diallo?').waitFor();
    await page.getByLabel('To confirm, type the name: Amara Diallo').fill('Amara');
    await button(page, 'Erase for good').click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('To confirm, type the name: Amara Diallo').fill('Amara Diallo');
    await button(page, 'Erase for good').click();
    await page.getByText('Amara Diallo has been erased.').waitFor();
    await page.goto(`/admin/people?q=${newcomer.email}`);
    await page.getByText('Nothing matches your filters.').waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  it('are shown as blocks at 320 px and exported as a file', { timeout: 60_000 }, async () => {
    const { page, context } = await visitAs('admin', { viewport: { width: 320, height: 700 } });
    await page.goto('/admin/people?locale=de');
    await page.getByRole('table').waitFor();
    expect(await isTooWide(page)).toBe(false);
    const file = await context.request.get('/admin/people.csv?q=example.gov');
    expect([file.status(), file.headers()['content-type']]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(await file.text()).toContain('learner@example.gov');
    await context.close();
  });
});

describe('user content', () => {
  const ATTACK = '</script><script>window.attacked=1</script><img src=x onerror="window.attacked=1">{{{"a":"\u2028"}}}';

  it.each([true, false])('never runs as script, wherever it is shown', async (isSignedIn) => {
    const writer = await visitAs('learner');
    const headers = { 'sec-fetch-site': 'same-origin' };
    const data = {
      verb: 'post',
      title: `Attack ${ATTACK}`,
      body: `Attack ${ATTACK}\n\n[press](javascript:window.attacked=1)`,
    };
    const posted = await writer.context.request.post('/api/community/communities/plain-words/activities', {
      data,
      headers,
    });
    expect(posted.status()).toBe(201);
    const { id } = (await posted.json()) as { id: string };
    const reader = isSignedIn ? await visitAs('moderator') : await visit();
    for (const path of [
      '/communities/plain-words?ranking=recent',
      `/communities/plain-words/posts/${id}`,
      `/search?q=${encodeURIComponent(ATTACK)}`,
      `/login?next=${encodeURIComponent(ATTACK)}`,
      `/nothing/${encodeURIComponent(ATTACK)}`,
    ]) {
      await reader.page.goto(path);
      await reader.page.locator('h1').first().waitFor();
      expect([path, await reader.page.evaluate(() => 'attacked' in window)]).toEqual([path, false]);
      expect(await reader.page.locator('[onerror], a[href^="javascript:"]').count()).toBe(0);
    }
    expect(await reader.page.evaluate(writeUntrusted)).toBe('TypeError');
    for (const { context } of [writer, reader]) await context.close();
  });
});

describe('the built files', () => {
  it('serves no other files, however the path is written', async () => {
    const { url } = await currentProduct();
    for (const path of [
      '/assets/..%2f..%2fserver%2findex.js',
      '/assets/%2e%2e/%2e%2e/server/index.js',
      '/assets/..%5c..%5cserver%5cindex.js',
      '/..%2f..%2f..%2fpackage.json',
      '//package.json',
      '/assets//etc/passwd',
      '/assets/;/../manifest.json',
      '/.vite/manifest.json',
      '/.git/config',
      '/.env',
      '/server/index.js',
    ]) {
      const { status, type } = await new Promise<{ status: number | undefined; type: string | undefined }>(
        (resolve, reject) => {
          const sent = request(new URL(url), { path }, (reply) => {
            reply.resume();
            resolve({ status: reply.statusCode, type: reply.headers['content-type'] });
          });
          sent.on('error', reject).end();
        },
      );
      expect([path, status]).toEqual([path, expect.toBeOneOf([400, 404])]);
      expect(type).toMatch(/^(?:text\/html|application\/json)/);
    }
  });

  it.each(['/', '/login', '/courses', '/nothing', '/manifest.webmanifest', '/favicon.svg'])(
    '%s has the security headers',
    async (path) => {
      const { headers } = await fetch(new URL(path, (await currentProduct()).url));
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('content-security-policy')).toMatch(/script-src 'self' 'nonce-[^']+';/);
      expect(headers.get('content-security-policy')).not.toContain('unsafe');
    },
  );

  it('are revalidated with 304 and the same headers', async () => {
    const url = new URL('/favicon.svg', (await currentProduct()).url);
    const etag = (await fetch(url)).headers.get('etag') ?? '';
    const again = await fetch(url, { headers: { 'if-none-match': etag } });
    expect([again.status, again.headers.get('x-content-type-options')]).toEqual([304, 'nosniff']);
  });
});

describe('a form', () => {
  it.each<Record<string, string>>([
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site', origin: 'http://localhost:1' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { cookie: 'session=x' },
  ])('from another site is refused on every page: %j', async (headers) => {
    for (const path of [
      '/login',
      '/signup',
      '/language',
      '/theme',
      '/dismiss-notice',
      '/me/settings',
      '/communities/plain-words',
      '/admin/people',
    ]) {
      const reply = await fetch(new URL(path, (await currentProduct()).url), {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
        body: 'a=b',
        redirect: 'manual',
      });
      expect([path, reply.status]).toEqual([path, 403]);
    }
  });
});
