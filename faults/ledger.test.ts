import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { createTestApp } from '../server/test/app.ts';
import { judge, type Write } from './ledger.ts';
import { startLoad, type Loaded } from './load.ts';
import { settle } from './read-back.ts';
import { makeFixture } from './fixture.ts';

const written = (mark: string, outcome: Write['outcome']): Write => ({
  kind: 'post',
  mark,
  outcome,
  status: undefined,
  attempts: 1,
  endedMs: 0,
});

describe('judging the ledger', () => {
  test('finds acknowledged writes once, refused ones never, and accepts unknown ones either way', () => {
    const found = new Map([
      ['kept', 1],
      ['perhaps', 1],
      ['twice', 2],
      ['unknown twice', 2],
      ['refused', 1],
      ['nobody’s', 1],
    ]);
    const writes = [
      written('kept', 'ok'),
      written('gone', 'ok'),
      written('twice', 'ok'),
      written('perhaps', 'unknown'),
      written('perhaps not', 'unknown'),
      written('unknown twice', 'unknown'),
      written('refused', 'fail'),
      written('refused and gone', 'fail'),
    ];
    expect(judge(writes, found)).toEqual({
      acknowledged: 3,
      failed: 2,
      unknown: 3,
      lost: ['gone'],
      doubled: ['twice', 'unknown twice'],
      resurrected: ['refused'],
      unexpected: ['nobody’s'],
    });
  });

  test('throws when two writes share a mark', () => {
    expect(() => judge([written('same', 'ok'), written('same', 'ok')], new Map())).toThrow('same');
  });
});

describe('the ledger against the product', async () => {
  const { app, ctx, databaseUrl } = await createTestApp({}, { countsAnswers: false });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const size = { people: 6, posts: 8, polls: 6, lessons: 6, journeys: 6 };
  const fixture = await makeFixture(databaseUrl, { size });
  const load = startLoad({ urls: [url], fixture, perSecond: 150, writes: 90 });
  while (load.written() < 250) await new Promise((later) => setTimeout(later, 20));
  const loaded = await load.stop();
  const account = async (of: Loaded = loaded) => await settle(of, { fixture, url, databaseUrl });
  const marks = (kind: string) => loaded.writes.filter((write) => write.kind === kind).map(({ mark }) => mark);

  test('finds every kind of write and no fault', async () => {
    const all = await account();
    expect(new Set(loaded.writes.map(({ kind }) => kind))).toEqual(
      new Set(['post', 'reply', 'like', 'vote', 'completion', 'enrolment', 'article']),
    );
    expect(all).toMatchObject({
      failed: 0,
      unknown: 0,
      lost: [],
      doubled: [],
      resurrected: [],
      unexpected: [],
      missed: [],
    });
    expect(all.acknowledged).toBe(loaded.writes.length);
    expect(all.verified).toBeGreaterThan(20);
    expect(all.wrong).toEqual([]);
  });

  test('detects a lost write, a duplicate and a row that nobody wrote', async () => {
    const [lost = ''] = marks('completion');
    const [, lesson, person] = lost.split(' ');
    await sql`delete from lesson_completions where user_id = ${person}
              and lesson_key = (select key from lessons where slug = ${lesson})`.execute(ctx.db);
    const [doubled = ''] = marks('reply');
    const copyOf = async (mark: string, body: string) =>
      await sql`insert into reactions (id, activity_id, depth, kind, user_id, body, body_html)
                select new_id(), activity_id, depth, kind, user_id, ${body}, body_html from reactions
                where body = ${mark.split(' ')[1]}`.execute(ctx.db);
    await copyOf(doubled, doubled.split(' ')[1]!); // a mark has two words
    await copyOf(doubled, 'out of nowhere');
    expect(await account()).toMatchObject({
      lost: [lost],
      doubled: [doubled],
      unexpected: ['reply out of nowhere'],
      wrong: ['replies to posts: 1'],
    });
  });

  test('detects a refused write that was stored', async () => {
    const [first, ...others] = loaded.writes.filter(({ kind }) => kind === 'post');
    const { resurrected } = await account({ ...loaded, writes: [{ ...first!, outcome: 'fail' }, ...others] }); // the load wrote posts
    expect(resurrected).toEqual([first?.mark]);
  });

  test.each([
    ['likes of posts', 'update activities set like_count = like_count + 1 where id = $1', () => fixture.wall.posts[0]],
    [
      'votes of options',
      'update poll_options set vote_count = vote_count + 1 where id = $1',
      () => fixture.polls.all[0]?.options[0],
    ],
    [
      'members of communities',
      'update communities set member_count = member_count - 1 where slug = $1',
      () => fixture.forum,
    ],
  ])('detects a counter that is off by one: %s', async (what, text, of) => {
    const client = await ctx.pool.connect();
    try {
      await client.query(text, [of()]);
    } finally {
      client.release();
    }
    expect((await account()).wrong).toContain(`${what}: 1`);
  });
});
