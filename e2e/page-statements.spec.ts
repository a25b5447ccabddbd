import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { currentProduct } from './demo.ts';
import { openPageCounter, type PageCounter } from './page-statements.ts';

const COMMUNITY = '/communities/plain-words';
const COURSE = '/courses/plain-language';

/**
 * The most statements after the session, and round trips to the database, of a page that was requested before, the
 * least of four: whether two calls share a statement and a trip depends on timing. Two or three trips are usual;
 * statements that wait for each other would take as many as there are.
 */
const LIMITS = {
  today: { statements: 20, trips: 4 },
  community: { statements: 12, trips: 4 },
  thread: { statements: 14, trips: 4 },
  course: { statements: 11, trips: 4 },
  lesson: { statements: 10, trips: 4 },
  search: { statements: 22, trips: 4 },
} as const;

let counter: PageCounter;
let client: pg.Client;
let thread = '';
let lesson = '';
const readers: { name: string; cookie: string }[] = [];

beforeAll(async () => {
  const { databaseUrl } = await currentProduct();
  client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  counter = await openPageCounter(databaseUrl, await mkdtemp(join(tmpdir(), 'officium-pages-')));
  const people = await client.query<{ id: string; name: string }>(`
    select u.id, u.name from community_members m join communities c on c.id = m.community_id join users u on u.id = m.user_id
    where c.slug = 'plain-words' and m.status = 'active' and u.role = 'public-servant' order by u.id limit 2`);
  for (const { id, name } of people.rows) readers.push({ name, cookie: await counter.signIn(id) });
  const posts = await client.query<{ id: string }>(`
    select a.id from activities a join communities c on c.id = a.community_id
    where c.slug = 'plain-words' and a.reply_count > 0 and a.deleted_at is null order by a.reply_count desc limit 1`);
  thread = `${COMMUNITY}/activities/${posts.rows[0]?.id}`;
  lesson = `${COURSE}/write-to-be-understood/who-is-reading`;
});
afterAll(async () => {
  await counter.close();
  await client.end();
});

const namesIn = (html: string) => readers.map(({ name }) => html.includes(`<bdi>${name}</bdi></p>`));

describe('a page for a reader', () => {
  it('asks the database no more often than is written here', async () => {
    const paths = { today: '/', community: COMMUNITY, thread, course: COURSE, lesson, search: '/search?q=letter' };
    const found: Record<string, unknown> = {};
    for (const [kind, path] of Object.entries(paths)) {
      const counts: { statements: number; trips: number }[] = [];
      for (let n = 0; n < 4; n += 1) {
        const { texts, trips } = await counter.count(path, readers[0]!.cookie);
        counts.push({ statements: texts.length, trips });
      }
      const most = LIMITS[kind as keyof typeof LIMITS]; // the keys are the same
      if (!counts.some(({ statements, trips }) => statements <= most.statements && trips <= most.trips))
        found[kind] = counts;
    }
    expect(found).toEqual({});
  });

  it('shows its own reader only, whoever else asks at the same moment', async () => {
    expect(readers).toHaveLength(2);
    const asked = Array.from({ length: 24 }, (_none, n) => ({ n, path: [COMMUNITY, '/', thread, COURSE][n % 4]! }));
    const pages = await Promise.all(
      asked.map(async ({ n, path }) => namesIn((await counter.get(path, readers[Math.floor(n / 4) % 3]?.cookie)).html)),
    );
    expect(pages).toEqual(asked.map(({ n }) => [Math.floor(n / 4) % 3 === 0, Math.floor(n / 4) % 3 === 1]));
  });
});

describe('a page for visitors', () => {
  const nonceIn = (text: string) => /nonce[-=]"?([0-9a-f]{32})/.exec(text)?.[1];

  it('is sent again with a nonce of its own, and asks only whether anything changed', async () => {
    // The product that runs beside writes now and then, after which a page is made anew.
    let [first, again] = [await counter.count(COMMUNITY), await counter.count(COMMUNITY)];
    for (let tried = 0; again.texts.length > 1 && tried < 20; tried += 1)
      [first, again] = [again, await counter.count(COMMUNITY)];
    expect(again.texts).toEqual([expect.stringContaining('pg_current_snapshot')]);
    const nonces = [first, again].map(({ html, policy }) => [nonceIn(html), nonceIn(policy)]);
    for (const [own, allowed] of nonces) expect(own).toBe(allowed);
    expect(nonces[0]![0]).not.toBe(nonces[1]![0]);
    expect(again.html.replaceAll(nonces[1]![0]!, '')).toBe(first.html.replaceAll(nonces[0]![0]!, ''));
  });

  it('shows what another process has just written', async () => {
    for (const title of ['Plain words, renamed', 'Plain words']) {
      await counter.get(COMMUNITY);
      await client.query(
        `update communities set title = jsonb_set(title, '{en}', to_jsonb($1::text)) where slug = 'plain-words'`,
        [title],
      );
      expect((await counter.get(COMMUNITY)).html).toContain(`>${title}</h1>`);
    }
  });

  it('differs by language, theme and time zone, and is never a reader’s', async () => {
    const of = async (cookie?: string) => (await counter.get(COMMUNITY, cookie)).html;
    await of();
    expect(await of('locale=de')).toContain('<html lang="de"');
    expect(await of('theme=dark')).toContain('data-theme="dark"');
    expect(await of('tz=Europe/Paris')).toContain('data-time-zone="Europe/Paris"');
    expect(await of()).toMatch(/<html lang="en" dir="ltr" data-time-zone="UTC"/);
    expect(namesIn(await of(readers[0]!.cookie))).toEqual([true, false]);
    expect(namesIn(await of())).toEqual([false, false]);
  });

  it('is not kept with a message for one visitor', async () => {
    const flash = encodeURIComponent(JSON.stringify({ key: 'community.posted' }));
    const { html } = await counter.get(COMMUNITY, `flash=${flash}`);
    expect(html).toContain('role="status"');
    const [told, plain] = [html, (await counter.get(COMMUNITY)).html];
    expect(told.length).toBeGreaterThan(plain.length);
  });
});
