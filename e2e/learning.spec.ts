import { describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { axeFaults } from './axe.ts';
import { isTooWide, mailTo, visit, visitAs } from './visitor.ts';
import { unusedEmail } from './newcomer.ts';

const JOURNEY = '/courses/plain-language/write-to-be-understood';
const PASSIVE = `${JOURNEY}/say-who-does-what`;
const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' };
const PATIENT = { timeout: 15_000 };
const QUESTION = 'When is the passive right?';
const QUOTE = 'The passive (“the form was lost”) is a tool. Use it when:';

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const link = (page: Page, name: string | RegExp) => page.getByRole('link', { name });

async function signUp(page: Page, name: string, email: string): Promise<void> {
  await page.goto('/signup');
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Work e-mail address').fill(email);
  await button(page, 'Send me a code').click();
  await page.waitForURL(/\/signup\/confirm/);
  const [code] = /^\d{6}$/m.exec((await mailTo(email)).text) ?? [];
  await page.getByLabel('Code').fill(code ?? '');
  await button(page, 'Confirm').click();
  await page.waitForURL(/\/welcome/);
  await page.getByLabel('New password').fill('seven quiet paper boats');
  await button(page, 'Get started').click();
  await page.waitForURL((url) => url.pathname === '/');
}

describe('a new learner', () => {
  it('finds a course, reads it by keyboard and gets the certificate', { timeout: 120_000 }, async () => {
    const { page, context, faults } = await visit();
    await signUp(page, 'Nadia Haddad', unusedEmail('nadia'));
    await page.getByRole('heading', { name: 'Start with ten minutes' }).waitFor();
    await page.getByRole('heading', { name: 'Find your community' }).waitFor();
    expect(await axeFaults(page)).toEqual([]);

    await page.goto('/courses');
    await page.getByLabel('Language', { exact: true }).selectOption('fr');
    await page.getByLabel('Length').selectOption('medium');
    await button(page, 'Show').click();
    await page.getByText('found').first().waitFor();
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toMatchObject({ language: 'fr', length: 'medium' });
    expect(await link(page, 'Service design').count()).toBe(0);
    await page.getByLabel('Search', { exact: true }).last().fill('xylophone');
    await button(page, 'Show').click();
    await page.getByText('No courses match your filters').waitFor();
    await link(page, 'Show everything').first().click();
    await link(page, 'Plain language in public service').click();
    await button(page, 'Join this course').click();
    await page.waitForURL(`**${JOURNEY}/*`);

    await page.locator('h1').click();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.keyboard.press('n');
    await page.getByRole('heading', { level: 1, name: 'Put the main point first' }).waitFor();
    await page.keyboard.press('p');
    await page.getByRole('heading', { level: 1, name: 'Who is reading, and what must they do?' }).waitFor();
    await page.keyboard.press('c');
    await page.getByRole('heading', { level: 1, name: 'Put the main point first' }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`${JOURNEY}/main-point-first`);
    await page.goto('/');
    await page.getByRole('heading', { name: 'Continue where you left off' }).waitFor();
    expect(await link(page, /^Continue, \d+ min$/).getAttribute('href')).toBe(`${JOURNEY}/main-point-first`);

    const { course } = await context.request.get('/api/learner/courses/plain-language').then((reply) => reply.json());
    for (const { slug } of course.journeys[0].sections.flatMap(({ lessons }: { lessons: object[] }) => lessons)) {
      const path = `/api/learner/me/courses/plain-language/journeys/write-to-be-understood/lessons/${slug}/completion`;
      expect((await context.request.put(path, { headers: SAME_ORIGIN })).status()).toBe(204);
    }
    await page.goto('/me/learning');
    await link(page, 'Get your certificate').first().click();
    await page.getByLabel('Name on the certificate').fill('Nadia Haddad نادية');
    await button(page, 'Issue my certificate').click();
    await page.getByText('Your certificate has been issued.').waitFor();
    await link(page, 'Verification page').click();
    await page.getByText('This certificate is valid').waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByText('This certificate is valid').isVisible()).toBe(true);
    expect(await link(page, 'Open the certificate (PDF)').isVisible()).toBe(false);
    await page.goto('/certificates/0000');
    await page.getByRole('heading', { name: 'There is no certificate with this number' }).waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });
});

describe('asking about a lesson', () => {
  it(
    'answers with quotations that link to their place, and keeps them until they are deleted',
    { timeout: 90_000 },
    async () => {
      const { page, context, faults } = await visitAs('moderator');
      await page.goto('/courses/plain-language');
      await button(page, 'Join this course').first().click();
      await page.waitForURL(`**${JOURNEY}/*`);
      await page.goto(PASSIVE);
      await page.getByLabel('Your question').fill(QUESTION);
      await button(page, 'Ask').click();
      const answer = page.getByRole('complementary', { name: 'Ask this lesson' });
      await answer.getByText(QUOTE).waitFor();
      expect(await page.getByLabel('Your question').inputValue()).toBe('');
      await answer.getByRole('link', { name: 'Show in the lesson' }).first().click();
      const marked = page.locator('#lesson-text .is-quoted').first(); // the line that introduces a list, and its items
      await expect.poll(() => marked.innerText(), PATIENT).toBe(QUOTE);
      expect(await marked.evaluate((block) => block === document.activeElement)).toBe(true);
      await expect.poll(() => isInView(page, '#lesson-text .is-quoted:focus'), PATIENT).toBe(true);
      expect(new URL(page.url()).hash).toMatch(/^#[ps]-/);
      expect(await axeFaults(page)).toEqual([]);

      await page.getByLabel('Your question').fill('What is the airspeed of a swallow?');
      await button(page, 'Ask').click();
      await answer.getByText('Nothing in this lesson answers that question.').waitFor();
      await answer.getByText('1 earlier question').click();
      await answer.getByText(QUOTE).waitFor();

      // The question is listed, opened and deleted from another lesson.
      await page.goto(`${JOURNEY}/who-is-reading`);
      await link(page, 'My questions in other lessons').click();
      await answer.getByRole('link', { name: QUESTION }).click();
      await page.waitForURL(`**${PASSIVE}*`);
      await answer.getByText('Delete my questions').click();
      await button(page, 'Delete for good').click();
      await page.getByText('Your questions have been deleted.').waitFor();
      expect(await answer.getByText(QUESTION).count()).toBe(0);
      expect(faults).toEqual([]);
      await context.close();
    },
  );

  it('works without JavaScript', { timeout: 60_000 }, async () => {
    const { page, context } = await visitAs('learner', { javaScriptEnabled: false });
    await page.goto(PASSIVE);
    await page.getByLabel('Your question').fill('');
    await button(page, 'Ask').click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Your question').fill(QUESTION);
    await button(page, 'Ask').click();
    await page.locator('#assistant').getByText(QUOTE).waitFor();
    await link(page, 'Show in the lesson').first().click();
    expect(await page.locator('#lesson-text :target').innerText()).toBe(QUOTE);
    await link(page, 'My questions in other lessons').click();
    await link(page, 'Hide my questions in other lessons').waitFor();
    await page.getByText('Delete my questions').click();
    await button(page, 'Delete for good').click();
    await page.getByText('Your questions have been deleted.').waitFor();
    await context.close();
  });

  it('fits a phone and is right-to-left in Arabic', { timeout: 90_000 }, async () => {
    const { page, context } = await visitAs('learner', { viewport: { width: 320, height: 800 } });
    await page.goto(`${PASSIVE}?locale=ar`);
    await page.locator('#ask-query').fill('متى يصح المبني للمجهول؟');
    await page.locator('#assistant form button').first().click();
    await page.locator('#assistant h3').first().waitFor();
    expect(await page.locator('html').getAttribute('dir')).toBe('rtl');
    expect(await isTooWide(page)).toBe(false);
    await page.evaluate(() => scrollTo(0, 0)); // otherwise the bottom bar may cover half of a target
    expect(await axeFaults(page)).toEqual([]);
    await context.close();
  });
});

describe('Today', () => {
  it('shows a pending connection request and accepts it without JavaScript', { timeout: 90_000 }, async () => {
    const asking = await visit();
    await signUp(asking.page, 'Owen Price', unusedEmail('owen'));
    const { page, context } = await visitAs('learner', { javaScriptEnabled: false });
    const { viewer } = await context.request.get('/api/auth/session').then((reply) => reply.json());
    const asked = await asking.context.request.post('/api/account/accounts/me/connections', {
      headers: SAME_ORIGIN,
      data: { peerId: viewer.id },
    });
    expect(asked.status()).toBe(201);
    await page.goto('/');
    await page.getByRole('heading', { name: 'Waiting for you' }).waitFor();
    await page.getByRole('button', { name: 'Accept Owen Price' }).click();
    await page.getByText('You and Owen Price are connected.').waitFor();
    expect(await page.getByRole('heading', { name: 'Waiting for you' }).count()).toBe(0);
    await asking.context.close();
    await context.close();
  });
});

async function isInView(page: Page, selector: string): Promise<boolean> {
  return await page.locator(selector).evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return top > 64 && bottom < innerHeight;
  });
}
