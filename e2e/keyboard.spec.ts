import type { Locator, Page } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { Keyboard } from './keyboard.ts';
import { SAME_SITE } from './newcomer.ts';
import { visitOf } from './people.ts';
import { record } from './results.ts';
import { mailTo, PASSWORD, visit } from './visitor.ts';

let journeys = 0;
afterAll(async () => {
  await record('keyboard', { journeys });
});

const FEED = '/communities/city-makers';
const JOURNEY = '/courses/plain-language/write-to-be-understood';

type KeyboardTools = { page: Page; keys: Keyboard; button: Find; link: Find; field: Find; fold: Find };
type Find = (name: string | RegExp) => Locator;

/** Runs a journey with the keyboard alone and checks the visibility of every focus stop. */
async function byKeyboard(page: Page, journey: (tools: KeyboardTools) => Promise<void>): Promise<void> {
  const keys = new Keyboard(page);
  await journey({
    page,
    keys,
    button: (name) => page.getByRole('button', { name }),
    link: (name) => page.getByRole('link', { name }),
    field: (name) => page.getByLabel(name),
    fold: (name) => page.locator('summary', { hasText: name }),
  });
  expect([...new Set(keys.faults)]).toEqual([]);
  journeys += 1;
  await page.context().close();
}

async function newcomer(): Promise<Page> {
  return (await visitOf('newcomer', { reducedMotion: 'reduce' })).page;
}
async function send(page: Page, method: 'POST' | 'PUT', path: string, data: object = {}): Promise<{ id: string }> {
  const reply = await page.context().request.fetch(path, { method, data, headers: SAME_SITE });
  expect(reply.ok(), `${path} ${reply.status()} ${await reply.text()}`).toBe(true);
  return reply.status() === 204 ? { id: '' } : await reply.json();
}
async function join(page: Page, slug: string): Promise<void> {
  await send(page, 'POST', `/api/community/communities/${slug}/members`);
}
async function post(page: Page, title: string): Promise<string> {
  await join(page, 'city-makers');
  const body = { verb: 'post', title, body: 'Words for the keyboard.', locale: 'en' };
  const { id } = await send(page, 'POST', '/api/community/communities/city-makers/activities', body);
  return `${FEED}/activities/${id}`;
}

describe('with the keyboard alone, a user', () => {
  it('signs up', async () => {
    const { page } = await visit({ reducedMotion: 'reduce' });
    await byKeyboard(page, async ({ keys, button, link, field }) => {
      const email = `keys-${Date.now()}@example.gov`;
      await keys.open('/');
      await keys.press(link(/Create an account|Sign up/));
      await page.waitForURL(/\/signup/);
      await keys.fill(page.getByLabel('Name', { exact: true }), 'Noor Visser');
      await keys.fill(field('Work e-mail address'), email);
      await keys.press(button('Send me a code'));
      await page.waitForURL(/\/signup\/confirm/);
      const [code = ''] = /^\d{6}$/m.exec((await mailTo(email)).text) ?? [];
      await keys.fill(field('Code'), code);
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/welcome/);
      await keys.fill(field('New password'), 'four words and a river');
      await keys.press(button('Get started'));
      await page.getByText('Welcome. You’re all set.').waitFor();
    });
  });

  it('signs in with a password', async () => {
    const { page } = await visit({ reducedMotion: 'reduce' });
    await byKeyboard(page, async ({ keys, button, link, field }) => {
      await keys.open('/');
      await keys.press(link('Sign in'));
      await page.waitForURL(/\/login/);
      await keys.fill(field('E-mail address').first(), 'learner@example.gov');
      await keys.fill(field('Password'), PASSWORD);
      await keys.press(button('Sign in'), 'Space');
      await page.waitForURL((url) => url.pathname === '/');
    });
  });

  it('signs in with an e-mailed link', async () => {
    const { page } = await visit({ reducedMotion: 'reduce' });
    await byKeyboard(page, async ({ keys, button, field }) => {
      await keys.open('/login');
      await keys.fill(field('E-mail address').last(), 'moderator@example.gov');
      await keys.press(button('E-mail me a link'));
      await page.getByText('we’ve sent a link').waitFor();
      const address = (await mailTo('moderator@example.gov')).links.find((one) => one.includes('/login/confirm'));
      await keys.open(address ?? '');
      await keys.press(page.getByRole('main').getByRole('button', { name: 'Sign in' }));
      await page.waitForURL((url) => url.pathname === '/');
    });
  });

  it('finds a course and joins it', async () => {
    await byKeyboard(await newcomer(), async ({ page, keys, button, link }) => {
      await keys.open('/');
      await keys.press(link('Learn'));
      await page.waitForURL(/\/courses/);
      await keys.fill(page.getByRole('main').getByLabel('Search'), 'plain');
      await page.keyboard.press('Enter');
      await page.waitForURL(/q=plain/);
      await keys.press(link(/Plain language in public service/));
      await page.waitForURL(/\/courses\/plain-language/);
      await keys.press(button(/^Join/));
      await page.getByText('This is the first lesson.').waitFor();
    });
  });

  it('completes a lesson', async () => {
    const page = await newcomer();
    await enrol(page);
    await byKeyboard(page, async ({ keys, button }) => {
      await keys.open(`${JOURNEY}/who-is-reading`);
      await keys.skip();
      await keys.press(button('Complete and continue'));
      await page.waitForURL(/main-point-first/);
    });
  });

  it('gets a certificate', async () => {
    const page = await newcomer();
    await enrol(page);
    const course = await (await page.context().request.get('/courses/plain-language')).text();
    for (const [, lesson] of new Set(course.matchAll(/write-to-be-understood\/([a-z-]+)"/g)))
      await send(
        page,
        'PUT',
        `/api/learner/me${JOURNEY.replace('language/', 'language/journeys/')}/lessons/${lesson}/completion`,
      );
    await byKeyboard(page, async ({ keys, button, link, field }) => {
      await keys.open('/me/learning');
      await keys.press(link('Get your certificate'));
      await page.waitForURL(/\/certificate$/);
      await keys.fill(field('Name on the certificate'), 'Noor Visser');
      await keys.press(button('Issue my certificate'));
      await page.getByText('Your certificate has been issued.').waitFor();
    });
  });

  it('joins a community', async () => {
    await byKeyboard(await newcomer(), async ({ page, keys, button, link }) => {
      await keys.open('/');
      await keys.press(link('Communities'));
      await page.waitForURL(/\/communities$/);
      await keys.press(button('Join Data and evidence'));
      await page.getByText('Welcome to Data and evidence.').waitFor();
    });
  });

  it('posts and mentions a member', async () => {
    const page = await newcomer();
    await join(page, 'city-makers');
    const { members } = await (
      await page.context().request.get('/api/community/communities/city-makers/members?user.name=Rivera')
    ).json();
    // Use the plain field: the editor would replace it while text is typed. The editor has journeys of its own.
    await page.addInitScript(() => localStorage.setItem('editor', 'plain'));
    await byKeyboard(page, async ({ keys, button, field, fold }) => {
      await keys.open(FEED);
      await keys.skip();
      await keys.press(fold('Post to City makers'));
      await keys.fill(field('Title').first(), 'Written with the keyboard');
      await keys.fill(field('Your text').first(), `What does {{${members[0].id}}} say?`);
      await keys.press(button('Post in City makers'));
      await page.getByText('Your post has been published.').waitFor();
      await page.goto(`${FEED}?ranking=recent`);
      await page.getByRole('link', { name: 'Written with the keyboard' }).first().waitFor();
      await page.getByText('@Tomás Rivera').first().waitFor();
    });
  });

  it('replies', async () => {
    const page = await newcomer();
    const thread = await post(page, 'To be replied to');
    await byKeyboard(page, async ({ keys, field }) => {
      await keys.open(thread);
      await keys.skip();
      await keys.fill(field('Your reply'), 'A reply by keyboard');
      await keys.press(page.getByRole('button', { name: 'Reply', exact: true }).last());
      await page.getByText('Your reply has been published.').waitFor();
    });
  });

  it('likes', async () => {
    const page = await newcomer();
    const thread = await post(page, 'To be liked');
    await byKeyboard(page, async ({ keys, button }) => {
      await keys.open(thread);
      await keys.skip();
      await keys.press(button(/^Like this:/), 'Space');
      await expect
        .poll(() =>
          button(/^Like this:/)
            .first()
            .getAttribute('aria-pressed'),
        )
        .toBe('true');
      await expect.poll(() => page.getByRole('status').allInnerTexts()).toContain('You like this.');
    });
  });

  it('starts a poll and votes in it', async () => {
    const page = await newcomer();
    await join(page, 'city-makers');
    await byKeyboard(page, async ({ keys, button, field, fold, link }) => {
      await keys.open(FEED);
      await keys.skip();
      await keys.press(fold('Create a poll'));
      await keys.fill(field('Your question'), 'Which key?');
      await keys.fill(field('Option 1'), 'Tab');
      await keys.fill(field('Option 2'), 'Enter');
      await keys.press(button('Start the poll in City makers'));
      await page.getByText('Your poll has started.').waitFor();
      await keys.open(`${FEED}?ranking=recent`);
      await keys.skip();
      await keys.press(link('Which key?'));
      await page.getByRole('heading', { level: 1, name: 'Which key?' }).waitFor();
    });
  });

  it('votes and withdraws the vote', async () => {
    const page = await newcomer();
    await join(page, 'city-makers');
    const poll = await send(page, 'POST', '/api/community/communities/city-makers/polls', {
      title: 'Which way?',
      options: ['There', 'Back'].map((body, index) => ({ position: index + 1, body })),
      locale: 'en',
    });
    await byKeyboard(page, async ({ keys, button }) => {
      await keys.open(`${FEED}/activities/${poll.id}`);
      await keys.skip();
      await keys.press(button('There'), 'Space');
      await expect.poll(() => page.getByRole('status').allInnerTexts()).toContain('Your vote has been counted.');
      await keys.press(button('Withdraw my vote'));
      await expect.poll(() => page.getByRole('status').allInnerTexts()).toContain('Your vote has been withdrawn.');
    });
  });

  it('deletes an own post', async () => {
    const page = await newcomer();
    const thread = await post(page, 'To be deleted');
    await byKeyboard(page, async ({ keys, button, link, fold }) => {
      await keys.open(thread);
      await keys.skip();
      await keys.press(fold('More about this post'));
      await keys.press(link('Delete'));
      await keys.press(button('Delete the post'));
      await keys.press(button('Delete now'));
      await page.waitForURL(`**${FEED}`);
    });
  });

  it('changes the language and closes the list of languages with Esc', async () => {
    const { page } = await visit({ reducedMotion: 'reduce' });
    await byKeyboard(page, async ({ keys, button, fold }) => {
      const menu = fold('Change language').first();
      await keys.open('/courses');
      await keys.press(menu);
      await keys.to(button('Deutsch').first());
      await page.keyboard.press('Escape');
      await expect.poll(() => menu.evaluate((element) => element === document.activeElement)).toBe(true);
      await page.keyboard.press('Enter');
      await keys.press(button('العربية').first());
      await page.waitForFunction(() => document.documentElement.dir === 'rtl');
    });
  });

  it('signs out', async () => {
    const { page } = await visitOf('administrator', { reducedMotion: 'reduce' });
    await byKeyboard(page, async ({ keys, button, fold }) => {
      await keys.open('/');
      await keys.press(fold('Your account').first());
      await keys.press(button('Sign out').first());
      await page.getByText('You are signed out.').waitFor();
    });
  });
});

async function enrol(page: Page): Promise<void> {
  const place = { courseSlug: 'plain-language', journeySlug: 'write-to-be-understood', locale: 'en' };
  await send(page, 'POST', '/api/learner/learners/me/journeys', place);
}
