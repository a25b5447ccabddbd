import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFaults, closeBrowser, isTooWide, visit, visitAs, type Account } from './visitor.ts';

afterAll(closeBrowser);

const LESSON = '/courses/plain-language/write-to-be-understood/who-is-reading';
const PUBLIC = [
  '/',
  '/courses',
  '/academies',
  '/academies/digital-government',
  '/microcourses/en/write-alt-text',
  '/courses/plain-language',
  LESSON,
  '/communities',
  '/communities/plain-words',
  '/articles',
  '/search?q=forms',
  '/search?q=zzz&group=posts',
  '/login',
  '/signup',
  '/signup/confirm?email=a%40example.org',
  '/reset',
  '/reset?forgotPassword=x',
  '/accessibility-statement',
  '/privacy',
  '/no-such-page',
];
const MEMBERS = ['/', '/me/learning', '/me/settings', '/communities/plain-words', '/communities/plain-words/members'];
const found: { thread: string; poll: string; person: string; article: string } = {
  thread: '',
  poll: '',

  person: '',
  article: '',
};

beforeAll(async () => {
  const { context, page } = await visitAs('learner');
  const get = (path: string) => context.request.get(path).then((reply) => reply.json());
  const { results } = await get('/api/community/communities/plain-words/activities?limit=100');
  const thread = results.find((one: { reaction_counts: { reply: number } }) => one.reaction_counts.reply > 2);
  const poll = results.find((one: { verb: string }) => one.verb === 'poll');
  found.thread = `/communities/plain-words/activities/${thread.id}`;
  found.poll = `/communities/plain-words/activities/${poll.id}`;
  found.person = `/people/${thread.actor.id}`;
  const { articles } = await get('/api/content/articles');
  found.article = `/articles/${articles[0].slug}`;
  await page.close();
});

type Look = { colorScheme: 'light' | 'dark'; locale: 'en' | 'ar' };
const LOOKS: Look[] = [
  { colorScheme: 'light', locale: 'en' },
  { colorScheme: 'dark', locale: 'en' },
  { colorScheme: 'light', locale: 'ar' },
  { colorScheme: 'dark', locale: 'ar' },
];

async function open(account: Account | undefined, colorScheme: Look['colorScheme'], width: number) {
  const options = { colorScheme, viewport: { width, height: 900 } };
  return account ? await visitAs(account, options) : await visit(options);
}

/** The page in a language, whatever that of the account. */
function inLanguage(path: string, locale: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}locale=${locale}`;
}

describe.each(LOOKS)('every page, $colorScheme, $locale', (look) => {
  it.each([
    ['a visitor', undefined],
    ['a learner', 'learner'],
    ['a moderator', 'moderator'],
  ] as const)('has nothing axe objects to, for %s', { timeout: 180_000 }, async (_, account) => {
    const { page, faults } = await open(account, look.colorScheme, 1280);
    const paths = account
      ? [...MEMBERS, found.thread, found.poll, LESSON, found.person]
      : [...PUBLIC, found.thread, found.article];
    const bad: string[] = [];
    for (const path of paths) {
      await page.goto(inLanguage(path, look.locale));
      bad.push(...(await axeFaults(page)).map((fault) => `${path} ${fault}`));
    }
    expect(bad).toEqual([]);
    expect(faults).toEqual([]);
    await page.context().close();
  });
});

describe.each(['en', 'ar', 'de', 'ja'] as const)('every page at 320 px, %s', (locale) => {
  it('needs no scrolling sideways', { timeout: 180_000 }, async () => {
    const wide: string[] = [];
    for (const account of [undefined, 'learner'] as const) {
      const { page } = await open(account, 'light', 320);
      const paths = account
        ? [...MEMBERS, found.thread, found.poll, LESSON, found.person]
        : [...PUBLIC, found.thread, found.article];
      for (const path of paths) {
        await page.goto(inLanguage(path, locale));
        if (await isTooWide(page)) wide.push(`${account ?? 'visitor'} ${path}`);
      }
      await page.context().close();
    }
    expect(wide).toEqual([]);
  });
});

describe('every page', () => {
  it('has one first-level heading, a title of its own and no heading out of turn', { timeout: 120_000 }, async () => {
    const { page } = await visit();
    const titles = new Map<string, string>();
    for (const path of [...PUBLIC, found.thread, found.article]) {
      await page.goto(path);
      expect([path, await page.locator('h1').count()]).toEqual([path, 1]);
      const title = await page.title();
      expect([path, title]).not.toEqual([path, '']);
      if (!path.startsWith('/reset') && !path.includes('no-such'))
        expect([path, titles.get(title)]).toEqual([path, undefined]);
      titles.set(title, path);
    }
  });

  it('shows its texts in each of the sixteen languages', { timeout: 120_000 }, async () => {
    const { page, faults } = await visit();
    for (const locale of [
      'ar',
      'pt-BR',
      'fr',
      'fr-CA',
      'de',
      'id',
      'it',
      'ja',
      'ko',
      'es-419',
      'pl',
      'pt',
      'sr-Cyrl',
      'es',
      'vi',
    ]) {
      await page.goto(`/?locale=${locale}`);
      expect(await page.locator('html').getAttribute('lang')).toBe(locale);
      expect(await page.locator('h1').innerText()).not.toContain('Get better');
    }
    expect(faults).toEqual([]);
  });
});
