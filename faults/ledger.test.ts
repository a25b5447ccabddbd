import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { createTestApp } from '../server/test/app.ts';
import { judge, type Write } from './ledger.ts';
import { startLoad, type Loaded } from './load.ts';
import { settle } from './read-back.ts';
import { makeWorld } from './world.ts';

const written = (mark: string, outcome: Write['outcome']): Write => ({
  kind: 'post',
  mark,
  outcome,
  status: undefined,
  attempts: 1,
  endedMs: 0,
});

describe('the rules of the ledger', () => {
  test('acknowledged is there once, refused is not there, unknown may be either', () => {
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
      risen: ['refused'],
      unasked: ['nobody’s'],
    });
  });

  test('a mark that stands for two writes tells nothing, and is refused', () => {
    expect(() => judge([written('same', 'ok'), written('same', 'ok')], new Map())).toThrow('same');
  });
});

describe('the ledger, on the product', async () => {
  const { app, ctx, databaseUrl } = await createTestApp({}, { countsAnswers: false });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const size = { people: 6, posts: 8, polls: 6, lessons: 6, journeys: 6 };
  const world = await makeWorld(databaseUrl, { size });
  const load = startLoad({ urls: [url], world, perSecond: 150, writes: 90 });
  while (load.written() < 250) await new Promise((later) => setTimeout(later, 20));
  const loaded = await load.stop();
  const account = async (of: Loaded = loaded) => await settle(of, { world, url, databaseUrl });
  const marks = (kind: string) => loaded.writes.filter((write) => write.kind === kind).map(({ mark }) => mark);

  test('finds all that was written, of every kind, and nothing wrong', async () => {
    const all = await account();
    expect(new Set(loaded.writes.map(({ kind }) => kind))).toEqual(
      new Set(['post', 'reply', 'like', 'vote', 'completion', 'enrolment', 'article']),
    );
    expect(all).toMatchObject({ failed: 0, unknown: 0, lost: [], doubled: [], risen: [], unasked: [], missed: [] });
    expect(all.acknowledged).toBe(loaded.writes.length);
    expect(all.looked).toBeGreaterThan(20);
    expect(all.wrong).toEqual([]);
  });

  test('notices a write that was lost, one that is there twice, and one that nobody made', async () => {
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
      unasked: ['reply out of nowhere'],
      wrong: ['replies to posts: 1'],
    });
  });

  test('notices a refused write that is there after all', async () => {
    const [first, ...others] = loaded.writes.filter(({ kind }) => kind === 'post');
    const { risen } = await account({ ...loaded, writes: [{ ...first!, outcome: 'fail' }, ...others] }); // there were posts
    expect(risen).toEqual([first?.mark]);
  });

  test.each([
    ['likes of posts', 'update activities set like_count = like_count + 1 where id = $1', () => world.wall.posts[0]],
    [
      'votes of options',
      'update poll_options set vote_count = vote_count + 1 where id = $1',
      () => world.polls.all[0]?.options[0],
    ],
    [
      'members of communities',
      'update communities set member_count = member_count - 1 where slug = $1',
      () => world.forum,
    ],
  ])('notices that a counter is off by one: %s', async (what, text, of) => {
    const client = await ctx.pool.connect();
    try {
      await client.query(text, [of()]);
    } finally {
      client.release();
    }
    expect((await account()).wrong).toContain(`${what}: 1`);
  });
});
