import type { Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import { visitAs, type Account } from './visitor.ts';

const ROOM = '/communities/plain-words';
const SAME_SITE = { 'sec-fetch-site': 'same-origin' };

async function visitDuringTest(account: Account) {
  const visitor = await visitAs(account);
  onTestFinished(() => visitor.context.close());
  return visitor;
}

/** Elements, attributes and texts of every post, except relative times and how text nodes are split. */
async function postsOf(page: Page): Promise<Record<string, string[]>> {
  return await page.evaluate(() => {
    const linesOf = (element: Element): string[] => {
      const attributes = [...element.attributes].map(({ name, value }) => `${name}=${value}`).toSorted();
      const inner = element instanceof HTMLTimeElement ? [] : [...element.children].flatMap(linesOf);
      const words = [...element.childNodes].filter((node) => node instanceof Text).map((node) => node.data);
      const text = element instanceof HTMLTimeElement ? '' : words.join('').trim();
      return [`${element.localName} ${attributes.join(' ')} ${text}`, ...inner];
    };
    return Object.fromEntries([...document.querySelectorAll('article[id]')].map((post) => [post.id, linesOf(post)]));
  });
}

it('a feed rendered for several viewers equals the feed rendered for each alone', async () => {
  const [maya, mod] = [await visitDuringTest('learner'), await visitDuringTest('moderator')];
  const poll = await mod.context.request.post(`/api/community${ROOM}/polls`, {
    data: {
      title: 'Which of these two?',
      options: ['This', 'That'].map((body, index) => ({ position: index + 1, body })),
      settings: { results_visibility: 'always' },
    },
    headers: SAME_SITE,
  });
  expect(poll.status()).toBe(201);
  const feed = await maya.context.request.get(`/api/community${ROOM}/activities`);
  const { results } = (await feed.json()) as { results: { id: string; verb: string; actor: { name: string } }[] };
  const liked = results.find(({ verb }) => verb === 'post')!.id; // the demo has posts
  await maya.context.request.post(`/api/community${ROOM}/activities/${liked}/reactions`, {
    data: { kind: 'like' },
    headers: SAME_SITE,
  });

  const written = new Map<string, Record<string, string[]>>();
  for (const [name, { page, faults }] of Object.entries({ maya, mod, again: maya })) {
    await page.goto(ROOM);
    const byServer = await postsOf(page);
    expect(Object.keys(byServer).length).toBeGreaterThan(5);
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Communities' }).click();
    await page.waitForURL(/\/communities$/);
    await page.locator(`main a[href="${ROOM}"]`).first().click();
    await page.locator(`article[id="${liked}"]`).waitFor();
    expect(await postsOf(page)).toEqual(byServer);
    expect(faults).toEqual([]);
    written.set(name, byServer);
  }
  expect(written.get('again')).toEqual(written.get('maya'));
  const pressed = (name: string) => written.get(name)?.[liked]?.filter((line) => line.includes('aria-pressed=true'));
  expect(pressed('maya')).toHaveLength(1);
  expect(pressed('mod')).toEqual([]);

  await maya.page.goto(`${ROOM}?locale=ar`);
  expect(JSON.stringify((await postsOf(maya.page))[liked])).toMatch(/\p{Script=Arabic}/u);
});

it.each([true, false])('a post of a feed says why it is there, with JavaScript: %s', async (javaScriptEnabled) => {
  const { page, context } = await visitAs('learner', { javaScriptEnabled });
  onTestFinished(() => context.close());
  await page.goto(ROOM);
  const post = page.locator('article[id]').first();
  await post.locator('summary', { hasText: 'Why is this here?' }).click();
  if (!javaScriptEnabled) {
    await post.getByRole('link', { name: 'See what decides its place' }).click();
    await page.getByRole('heading', { level: 1, name: 'Why this post is here' }).waitFor();
  }
  const place = javaScriptEnabled ? post : page.getByRole('main');
  await place.getByText('In the order “Active”, newer posts come first').waitFor();
  await place.getByText(/^(\d+ people|1 person|Nobody) replied$/).waitFor();
  await place.getByText('The order is the same for everyone').waitFor();
  if (javaScriptEnabled) expect(new URL(page.url()).pathname).toBe(ROOM);
});
