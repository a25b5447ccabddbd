import { readdir, readFile } from 'node:fs/promises';
import { createActivity } from '@officium/contract/community';
import { search } from '@officium/contract/search';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createTestApp } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { makeCommunity, makeMember } from '#server/test/factories/communities.ts';
import { toPieces } from './search.view.ts';

const test = await createTestApp();
const { db } = test.ctx;

/** Inputs that PostgreSQL's text parser rescans: comments, and runs that may be addresses, paths or compounds. */
const REREAD = ['<!--', '<a ="', './', '~/', '_a', 'a_', 'a-b.', '/?', 'a@b', '-_', '://'];
const KIB = 1024;
const of = (pattern: string, bytes: number) => pattern.repeat(bytes / Buffer.byteLength(pattern));

/** The fastest of three runs, in ms. A statement over 8 s fails. */
async function timeOf(text: string): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < 3; n += 1)
    await db.transaction().execute(async (trx) => {
      await sql`set local statement_timeout = '8s'`.execute(trx);
      const start = performance.now();
      await sql`select length(to_tsvector('search_english', search_words(${text})))`.execute(trx);
      times.push(performance.now() - start);
    });
  return Math.min(...times);
}

describe('the words of a text', () => {
  it.each(REREAD)('are parsed in linear time when the text repeats %s', async (pattern) => {
    const [small, large] = [await timeOf(of(pattern, 4 * KIB)), await timeOf(of(pattern, 64 * KIB))];
    expect(large).toBeLessThan(60 * Math.max(small, 10)); // 16 times as long if linear, 256 times if quadratic
  });

  it('come from the text, which is shown as it was written', async () => {
    const text = `if a<b or <!-- ${'https://example.gov/'.repeat(8)} 手続き`;
    const { rows } = await sql<{ words: string; found: string[] }>`
      select search_words(${text}) as words,
        tsvector_to_array(to_tsvector('search_simple', search_words(${text}))) as found`.execute(db);
    expect(toPieces(rows[0]!.words)).toEqual([{ text, isMatch: false }]); // one row
    expect(rows[0]!.found).toEqual(expect.arrayContaining(['if', 'a', 'b', 'or', 'example.gov']));
  });

  it('of a post of the maximum length are found', async () => {
    const maya = await makePerson(test);
    const community = await makeCommunity(db);
    await makeMember(db, community, maya);
    for (const [n, pattern] of ['<!--', './', 'a_ a_'].entries()) {
      const body = `${of(pattern, 63 * KIB)} word${n}`;
      const posted = await test.call(createActivity, maya.as, { params: { slug: community.slug }, body: { body } });
      expect(posted.status).toBe(201);
      const { body: found } = await test.call(search, maya.as, { query: { q: `word${n}`, group: 'posts' } });
      expect(found.groups[0].results).toHaveLength(1);
    }
  });
});

describe('an excerpt', () => {
  it.each([
    ['"open letters"', `'open' <-> 'letter'`],
    ['"kestrel kestrel kestrel"', `'kestrel'`],
    ["kestrel kestrel o'clock", `'clock' | 'kestrel' | 'o'`],
    ['one1 two2 three3 four4 five5 six6 seven7 eight8 nine9', `'eight8' | 'five5' |`],
  ])('of %s marks each word once', async (query, beginning) => {
    const { rows } = await sql<{ marked: string }>`
      select marked_query('search_english', ${query})::text as marked`.execute(db);
    expect(rows[0]!.marked.slice(0, beginning.length)).toBe(beginning);
  });

  it('costs little when the text repeats the words of the query', async () => {
    const text = '字 '.repeat(2000);
    await db.transaction().execute(async (trx) => {
      await sql`set local statement_timeout = '1s'`.execute(trx);
      await sql`
        select ts_headline('search_english', search_words(${text}), marked_query('search_english', ${`"${'字 '.repeat(10)}"`}),
          'MaxFragments=2, ShortWord=0, MinWords=8, MaxWords=26')`.execute(trx);
    });
  });

  it('costs little when query and texts repeat one word', async () => {
    const maya = await makePerson(test);
    const community = await makeCommunity(db);
    await makeMember(db, community, maya);
    for (const word of ['字', 'kestrel ', 'a-1-'])
      for (let n = 0; n < 3; n += 1)
        await test.call(createActivity, maya.as, {
          params: { slug: community.slug },
          body: { body: of(word, 60 * KIB) },
        });
    for (const q of ['字'.repeat(12), `"${'kestrel '.repeat(12)}"`, 'kestrel '.repeat(25), 'a-1-'.repeat(16)]) {
      const { status, body } = await test.call(search, maya.as, { query: { q: q.trim(), group: 'posts' } });
      expect([q, status, body.groups?.[0].results.length]).toEqual([q, 200, 3]);
      expect(body.groups[0].results[0].excerpt.some(({ isMatch }: { isMatch: boolean }) => isMatch)).toBe(true);
    }
  });

  it('is taken from the matching part of a long text, and costs little', async () => {
    const maya = await makePerson(test);
    const community = await makeCommunity(db);
    await makeMember(db, community, maya);
    const late = `${of('Letters people read. ', 12 * KIB)} A heron stood there. ${of('Letters people read. ', 40 * KIB)}`;
    for (const body of [late, of('sparrow ', 60 * KIB)])
      await test.call(createActivity, maya.as, { params: { slug: community.slug }, body: { body } });
    const excerptOf = async (q: string) => {
      const { body } = await test.call(search, maya.as, { query: { q, group: 'posts' } });
      return search.replies[200].parse(body).groups[0]!.results[0]!.excerpt;
    };
    expect(await excerptOf('heron')).toContainEqual({ text: 'heron', isMatch: true });
    // Many frequent words: searching the whole text would take ten seconds.
    expect(await excerptOf(of('sparrow ', 192))).toContainEqual({ text: 'sparrow', isMatch: true });
  });
});

describe('every text that is parsed for words', () => {
  /** Calls of PostgreSQL's parser on text that did not pass through `search_words` or `parser_safe`. */
  const bare = (source: string) =>
    source.match(
      /(?:to_tsvector|ts_parse|ts_headline|(?:websearch_|plain|phrase)?to_tsquery)\(\s*(?:'\w+'|[^,()]+(?:\([^()]*\))?)\s*,(?!\s*(?:search_words|parser_safe)\()[^)\n]*/g,
    ) ?? [];

  it('is parsed in linear time by the SQL functions', async () => {
    const { rows } = await sql<{ name: string; source: string }>`
      select proname as name, prosrc as source from pg_proc
      where pronamespace = 'public'::regnamespace and prosrc ~ 'to_ts|ts_parse|ts_headline'`.execute(db);
    expect(rows.map(({ name }) => name)).toContain('put_search_document');
    // Their words come from `search_words`, or are a query of the index.
    const given = rows.filter(({ name }) => name !== 'search_query');
    expect(given.flatMap(({ source }) => bare(source))).toEqual([]);
  });

  it('is parsed in linear time by the statements', async () => {
    const root = new URL('../../', import.meta.url);
    const files = (await readdir(root, { recursive: true })).filter((name) => name.endsWith('.repository.ts'));
    // The O*NET statements, whose text is not user input.
    const others = files.filter((name) => !name.endsWith('job-task-load.repository.ts'));
    const sources = await Promise.all(others.map(async (name) => await readFile(new URL(name, root), 'utf8')));
    expect(sources.join().match(/to_tsvector\(/g)?.length).toBeGreaterThan(3);
    expect(sources.flatMap(bare)).toEqual([]);
  });
});
