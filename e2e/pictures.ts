import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { APIRequestContext, Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { launchBrowser } from './browser.ts';
import { startProduct } from './product.ts';
import { DEMO_PASSWORD } from '../server/published-password.ts';
import { ROOT } from '../server/test/process.ts';

// `npm run docs:pictures` takes the pictures of the guides and of README.md from the demo content.

const FOLDER = join(ROOT, 'docs/guides/pictures');
const QUALITY = 72;
const DAY_MS = 86_400_000;
const SAME_SITE = { 'sec-fetch-site': 'same-origin' };
const LESSON = '/courses/plain-language/write-to-be-understood/who-is-reading';

type Account = 'learner' | 'moderator' | 'admin' | null;
type Picture = {
  name: string;
  account: Account;
  path: string | ((request: APIRequestContext) => Promise<string>);
  /** How far it is scrolled, in pixels. */
  scroll?: number;
  locale?: string;
  /** Replaces the viewport of a laptop. */
  size?: { width: number; height: number };
  isDark?: boolean;
};

const PICTURES: readonly Picture[] = [
  { name: 'front', account: null, path: '/' },
  { name: 'catalogue', account: null, path: '/courses' },
  { name: 'lesson', account: 'learner', path: LESSON },
  { name: 'certificate', account: null, path: findCertificate },
  { name: 'community', account: 'learner', path: '/communities/plain-words', scroll: 380 },
  { name: 'thread', account: 'learner', path: findThread },
  { name: 'editor', account: 'admin', path: '/admin/content/course/plain-language' },
  { name: 'reports', account: 'admin', path: makeReport },
  { name: 'site', account: 'admin', path: '/admin/site' },
  { name: 'cohort', account: 'admin', path: makeCohort, scroll: 96 },
  { name: 'overview', account: 'admin', path: '/admin', scroll: 660 },
  { name: 'operations', account: 'admin', path: '/admin/operations' },
  { name: 'phone', account: 'learner', path: LESSON, locale: 'ar', size: { width: 390, height: 780 }, isDark: true },
];

async function read(request: APIRequestContext, path: string) {
  const reply = await request.get(path);
  if (!reply.ok()) throw new Error(`${path} answers ${reply.status()}`);
  return await reply.json();
}

async function send(request: APIRequestContext, path: string, data: object) {
  const reply = await request.post(path, { data, headers: SAME_SITE });
  if (!reply.ok()) throw new Error(`${path} answers ${reply.status()}: ${await reply.text()}`);
  return reply.status() === 204 ? {} : await reply.json();
}

async function findFeed(request: APIRequestContext): Promise<{ id: string; reaction_counts: { reply: number } }[]> {
  return (await read(request, '/api/community/communities/plain-words/activities?limit=100')).results;
}

async function findThread(request: APIRequestContext): Promise<string> {
  const [thread] = (await findFeed(request)).toSorted((a, b) => b.reaction_counts.reply - a.reaction_counts.reply);
  if (!thread) throw new Error('The demo has no thread');
  return `/communities/plain-words/activities/${thread.id}`;
}

let certificate = '';

async function findCertificate(): Promise<string> {
  return certificate;
}

async function makeReport(request: APIRequestContext): Promise<string> {
  const [, post] = await findFeed(request);
  if (!post) throw new Error('The demo has no second post');
  const data = {
    community: 'plain-words',
    kind: 'activity',
    id: post.id,
    reason: 'false',
    note: 'The deadline it names has passed.',
  };
  await send(request, '/api/moderation/reports', data);
  return '/communities/plain-words/reports';
}

async function makeCohort(request: APIRequestContext): Promise<string> {
  const [beginsOn, endsOn] = [30, 90].map((days) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10));
  const made = { name: 'Spring school', type: 'LEARNERS', primaryPartner: 'City of Example', beginsOn, endsOn };
  const { id } = await send(request, '/api/admin/cohorts', made);
  for (const email of [
    'learner@example.gov',
    'moderator@example.gov',
    'hana.sato@health.example.gov',
    'new@example.gov',
  ])
    await send(request, `/api/admin/cohorts/${id}/users`, { email });
  return `/admin/cohorts/${id}`;
}

async function take(browser: Browser, url: string, picture: Picture): Promise<number> {
  const { name, account, locale = 'en', size = { width: 1200, height: 800 }, scroll = 0, isDark } = picture;
  const context = await browser.newContext({
    baseURL: url,
    locale,
    viewport: size,
    colorScheme: isDark ? 'dark' : 'light',
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
  });
  try {
    if (account)
      await send(context.request, '/api/auth/logins', { email: `${account}@example.gov`, password: DEMO_PASSWORD });
    const path = typeof picture.path === 'string' ? picture.path : await picture.path(context.request);
    const page = await context.newPage();
    const reply = await page.goto(`${path}${path.includes('?') ? '&' : '?'}locale=${locale}`);
    if (reply?.status() !== 200) throw new Error(`${path} answers ${reply?.status()}`);
    await settle(page);
    if (scroll > 0) await page.evaluate((top) => window.scrollTo({ top, behavior: 'instant' }), scroll);
    const webp = await sharp(await page.screenshot())
      .webp({ quality: QUALITY, effort: 6 })
      .toBuffer();
    await writeFile(join(FOLDER, `${name}.webp`), webp);
    return webp.length;
  } finally {
    await context.close();
  }
}

async function settle(page: Page): Promise<void> {
  await page.waitForLoadState('load');
  await page.evaluate(() => document.fonts.ready);
  // Fonts of Japanese and Korean names come when the page has them, and late parts of the page a little later.
  await page.waitForTimeout(1_500);
  await page.evaluate(() => document.fonts.ready);
}

const product = await startProduct();
const browser = await launchBrowser();
try {
  const learner = await browser.newContext({ baseURL: product.url });
  await send(learner.request, '/api/auth/logins', { email: 'learner@example.gov', password: DEMO_PASSWORD });
  const { journeys } = await read(learner.request, '/api/learner/me/learning');
  const certified = journeys.find((one: { certificate: object | null }) => one.certificate);
  certificate = new URL(certified.certificate.verificationUrl).pathname;
  await learner.close();
  for (const picture of PICTURES) {
    const bytes = await take(browser, product.url, picture);
    console.log(`${picture.name}.webp: ${Math.round(bytes / 1024)} kB`);
  }
} finally {
  await browser.close();
  await product.stop();
}
