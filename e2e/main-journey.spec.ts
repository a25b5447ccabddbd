import { describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { unusedEmail } from './newcomer.ts';
import { mailTo, visit, WITH_SERVICE_WORKER } from './visitor.ts';

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const link = (page: Page, name: string | RegExp) => page.getByRole('link', { name });

/** Signs up with the code from the mail. */
async function signUp(page: Page, person: { name: string; email: string; password: string }): Promise<void> {
  await page.goto('/signup');
  await page.getByLabel('Name', { exact: true }).fill(person.name);
  await page.getByLabel('Work e-mail address').fill(person.email);
  await button(page, 'Send me a code').click();
  await page.waitForURL(/\/signup\/confirm/);
  const { text } = await mailTo(person.email);
  const [code] = /^\d{6}$/m.exec(text) ?? [];
  await page.getByLabel('Code').fill(code ?? '');
  await button(page, 'Confirm').click();
  await page.waitForURL(/\/welcome/);
  await page.getByLabel('New password').fill(person.password);
  await button(page, 'Get started').click();
  await page.waitForURL((url) => url.pathname === '/');
}

async function signOut(page: Page): Promise<void> {
  await page.goto('/');
  await page
    .locator('header summary[aria-label="Your account"], header summary:has-text("Your account")')
    .first()
    .click();
  await button(page, 'Sign out').first().click();
  await page.getByText('You are signed out.').waitFor();
}

/** Completes every mandatory lesson of a short course and issues the certificate with the given name. */
async function takeCourse(page: Page, nameOnCertificate: string): Promise<string> {
  await page.goto('/courses/plain-language');
  await button(page, /^Join/).first().click();
  await page.waitForURL(/\/courses\/plain-language\/write-to-be-understood\//);
  // The URL changes just before the page, when the button is already disabled.
  const complete = page
    .locator('button:not([aria-disabled=true])')
    .filter({ hasText: /^Complete (and continue|this lesson)$/ })
    .first();
  for (let lesson = 0; lesson < 12 && !page.url().includes('certificate'); lesson += 1) {
    const before = page.url();
    const isThere = await complete.waitFor({ timeout: 5_000 }).then(
      () => true,
      () => false,
    );
    if (!isThere) break;
    await complete.click();
    await page.waitForURL((url) => url.href !== before);
  }
  await page.goto('/me/learning');
  await link(page, 'Get your certificate').first().click();
  await page.getByLabel('Name on the certificate').fill(nameOnCertificate);
  await button(page, 'Issue my certificate').click();
  await page.getByText('Your certificate has been issued.').waitFor();
  await page.goto('/me/learning');
  await link(page, 'Verification page').first().click();
  await page.waitForURL(/\/certificates\//);
  return page.url();
}

/** Types Markdown into the plain field without JavaScript, or into the editor. */
async function typeText(page: Page, text: string, { hasScript }: { hasScript: boolean }): Promise<void> {
  const field = page.getByLabel('Your text').first();
  await field.focus();
  if (hasScript) await page.locator('#post-body[contenteditable=true]').waitFor();
  await field.pressSequentially(text);
}

/** Joins a community, posts and replies. */
async function takePart(page: Page, words: string, { hasScript }: { hasScript: boolean }): Promise<void> {
  await page.goto('/communities/city-makers');
  await button(page, 'Join City makers').first().click();
  await page.getByText('Welcome to City makers.').waitFor();
  const open = page.getByText('Post to City makers').first();
  await open.click();
  await page.getByLabel('Title').first().fill(`${words} in the title`);
  await typeText(page, `${words} in the *body*`, { hasScript });
  await button(page, 'Post in City makers').click();
  await page.getByText('Your post has been published.').waitFor();

  await page.goto('/communities/city-makers?ranking=recent_with_pin');
  await link(page, `${words} in the title`).first().click();
  await page.waitForURL(/\/activities\//);
  await page.getByRole('heading', { level: 1, name: `${words} in the title` }).waitFor();
  await page.locator('em', { hasText: 'body' }).first().waitFor();
  await page.getByLabel('Your reply').fill(`${words} in a reply`);
  await page.getByRole('button', { name: 'Reply', exact: true }).first().click();
  await page.getByText(`${words} in a reply`).first().waitFor();
}

describe('a public servant', () => {
  it(
    'signs up with the mailed code, earns a certificate and joins a community’s conversation',
    { timeout: 120_000 },
    async () => {
      const { page, context, faults } = await visit(WITH_SERVICE_WORKER);
      const person = { name: 'Amina Söderström', email: unusedEmail('amina'), password: 'four words and a river' };
      await signUp(page, person);
      const verification = await takeCourse(page, 'Амина 山田 سلمى');

      const stranger = await visit();
      await stranger.page.goto(verification);
      await stranger.page.getByText('This certificate is valid').waitFor();
      await expect.poll(() => stranger.page.getByText('Амина 山田 سلمى').count()).toBeGreaterThan(0);
      const pdf = await stranger.context.request.get(`${verification.split('?')[0]}.pdf`);
      expect(pdf.headers()['content-type']).toBe('application/pdf');
      expect((await pdf.body()).subarray(0, 5).toString()).toBe('%PDF-');

      await takePart(page, 'A journey', { hasScript: true });
      expect(faults).toEqual([]);

      // Signs out, then in again with the password and with a link.
      await page.goto('/');
      await signOut(page);
      await page.goto('/login?next=/me/learning');
      await page.getByLabel('E-mail address').first().fill(person.email);
      await page.getByLabel('Password', { exact: true }).fill(person.password);
      await button(page, 'Sign in').first().click();
      await page.waitForURL((url) => url.pathname === '/me/learning');
      await signOut(page);
      await page.goto('/login');
      await page.getByLabel('E-mail address').last().fill(person.email);
      await button(page, 'E-mail me a link').click();
      await page.getByText('we’ve sent a link').waitFor();
      await expect.poll(async () => (await mailTo(person.email)).links[0]).toContain('/login/confirm');
      const { links } = await mailTo(person.email);
      await page.goto(links[0] ?? '');
      await button(page, 'Sign in').first().click();
      await page.waitForURL((url) => url.pathname === '/');
      expect((await context.request.get('/api/auth/session').then((reply) => reply.json())).viewer.name).toBe(
        person.name,
      );
    },
  );

  it('does the same without JavaScript', { timeout: 120_000 }, async () => {
    const { page } = await visit({ javaScriptEnabled: false });
    await signUp(page, { name: 'Bo Nilsen', email: unusedEmail('bo'), password: 'quiet lamps under water' });
    await takeCourse(page, 'Bo Nilsen');
    await takePart(page, 'No script', { hasScript: false });
  });

  it('votes, sees the result, changes the vote and withdraws it', async () => {
    for (const javaScriptEnabled of [true, false]) {
      const { page, context } = await visit({ javaScriptEnabled });
      const email = unusedEmail('voter');
      await signUp(page, { name: 'A voter', email, password: 'a long enough password' });
      await context.request.post('/api/community/communities/plain-words/members', {
        headers: { 'sec-fetch-site': 'same-origin' },
      });
      const feed = await context.request
        .get('/api/community/communities/plain-words/activities?limit=100')
        .then((reply) => reply.json());
      const poll = feed.results.find(
        ({
          poll,
        }: {
          poll?: { closed: boolean; settings: { results_visibility: string; allow_multiple_votes: boolean } };
        }) => poll && !poll.closed && !poll.settings.allow_multiple_votes,
      );
      await page.goto(`/communities/plain-words/activities/${poll.id}`);
      const options = poll.poll.options.map((option: { body: string }) => option.body);
      await button(page, options[0]).first().click();
      await page.getByText('(your vote)').first().waitFor();
      const read = () =>
        context.request
          .get(`/api/community/communities/plain-words/activities/${poll.id}`)
          .then((reply) => reply.json());
      expect((await read()).poll.ownVotes).toHaveLength(1);
      expect((await read()).poll.totalVotes).toBeGreaterThan(0);
      await button(page, options[1]).first().click();
      await expect.poll(async () => (await read()).poll.ownVotes[0]?.optionId).toBe(poll.poll.options[1].id);
      await button(page, 'Withdraw my vote').first().click();
      await expect.poll(async () => (await read()).poll.ownVotes).toEqual([]);
    }
  });

  it('switches to Arabic and continues', async () => {
    const { page } = await visit();
    await page.goto('/courses/plain-language');
    await page.locator('footer').getByRole('button', { name: 'العربية' }).click();
    await page.waitForFunction(() => document.documentElement.dir === 'rtl');
    expect(await page.locator('html').getAttribute('lang')).toBe('ar');
    expect(new URL(page.url()).pathname).toBe('/courses/plain-language');
    await page.goto('/communities');
    expect(await page.locator('html').getAttribute('dir')).toBe('rtl');
  });
});
