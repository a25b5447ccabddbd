import {
  createActivity,
  createActivityReaction,
  deleteActivity,
  listActivities,
  updateActivity,
  updateReaction,
} from '@officium/contract/community';
import { updateCommunitySettings } from '@officium/contract/community-settings';
import { createArticle } from '@officium/contract/content';
import { createCommunityPoll, createPoll } from '@officium/contract/polls';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { createTestApp } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { makeActivity, makeCommunity, makeMember, makeReaction } from '#server/test/factories/communities.ts';

const test = await createTestApp({ RATE_LIMITS: 'on' });
const { db } = test.ctx;
const community = await makeCommunity(db);
const { slug } = community;
const people = await Promise.all(Array.from({ length: 60 }, () => makePerson(test)));
await Promise.all(people.map((person) => makeMember(db, community, person)));
const [caller, other] = [people[0]!, people[1]!]; // there are sixty
const calls = (from: number, to: number) => ({
  verb: 'post',
  body: people
    .slice(from, to)
    .map(({ id }) => `{{${id}}}`)
    .join(' '),
});

it('limits one person to fifty mentions an hour, however many texts they send at once, and notifies nobody of a refused one', async () => {
  const answers = await Promise.all(
    [0, 10, 20, 30, 40, 50].map((from) =>
      test.call(createActivity, caller.as, { params: { slug }, body: calls(from, from + 10) }),
    ),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 201, 201, 201, 429]);
  const refused = answers.find(({ status }) => status === 429);
  expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(3_000);
  const notified = await db.selectFrom('notifications').select('user_id').where('event', '=', 'mention').execute();
  expect(notified.length).toBeLessThanOrEqual(50);

  const on = await makeActivity(db, community, other);
  const reply = { kind: 'reply', body: `{{${other.id}}}` };
  const again = await test.call(createActivityReaction, caller.as, { params: { slug, id: on }, body: reply });
  expect(again.status).toBe(429);
  const silent = await test.call(createActivity, caller.as, {
    params: { slug },
    body: { verb: 'post', body: 'Nobody' },
  });
  expect(silent.status).toBe(201);
  expect((await test.call(createActivity, other.as, { params: { slug }, body: calls(2, 4) })).status).toBe(201);
});

it('refuses a text that mentions eleven people', async () => {
  const answer = await test.call(createActivity, other.as, { params: { slug }, body: calls(0, 11) });
  expect([answer.status, answer.body.issues[0].path]).toEqual([400, 'body']);
});

it('counts a text once, also when the cached access was outdated and when the text is refused', async () => {
  const writer = await makePerson(test);
  await makeMember(db, community, writer);
  const countOf = async () => {
    const { rows } = await sql<{ kind: string; used: number }>`
      select split_part(key, ':', 1) as kind, max(used) as used from rate_limits
      where key like ${`%${writer.id}`} and split_part(key, ':', 1) in ('write', 'mention') group by 1`.execute(db);
    return Object.fromEntries(rows.map(({ kind, used }) => [kind, used]));
  };
  const post = async (body: object) => (await test.call(createActivity, writer.as, { params: { slug }, body })).status;
  expect(await post({ body: 'Remembered from now on' })).toBe(201);
  expect(await countOf()).toEqual({ write: 1 });
  // Changed behind the cache, as another process would.
  await sql`update community_members set level = 2 where user_id = ${writer.id}`.execute(db);
  expect(await post(calls(0, 3))).toBe(201);
  expect(await countOf()).toEqual({ write: 2, mention: 3 });
  expect(await post({ body: 'Where?', categories: ['nowhere'] })).toBe(400);
  expect(await countOf()).toEqual({ write: 3, mention: 3 });
  const id = await makeActivity(db, community, other);
  await sql`update community_members set level = 3 where user_id = ${writer.id}`.execute(db);
  const reply = { kind: 'reply', body: `{{${other.id}}}` };
  expect((await test.call(createActivityReaction, writer.as, { params: { slug, id }, body: reply })).status).toBe(201);
  expect(await countOf()).toEqual({ write: 4, mention: 4 });
});

it('limits an account to two hundred texts a minute, of all kinds together', async () => {
  const writer = await makePerson(test);
  await makeMember(db, community, writer);
  const post = async (as = writer.as) =>
    await test.call(createActivity, as, { params: { slug }, body: { verb: 'post', body: 'One more' } });
  expect((await post()).status).toBe(201);
  await sql`update rate_limits set used = 170 where key = ${`write:60:${writer.id}`}`.execute(db);
  const answers = await Promise.all(Array.from({ length: 40 }, () => post()));
  const posted = answers.filter(({ status }) => status === 201);
  const refused = answers.filter(({ status }) => status === 429);
  expect([posted.length, refused.length]).toEqual([30, 10]);
  expect(refused[0]?.body.code).toBe('request.too_many');
  expect(Number(refused[0]?.headers['retry-after'])).toBeLessThanOrEqual(60);

  const id: string = posted[0]!.body.id; // thirty were
  const replyId = await makeReaction(db, community, { activityId: id }, writer);
  const poll = {
    title: 'Which?',
    options: ['One', 'Two'].map((body, index) => ({ position: index + 1, body })),
    settings: {},
  };
  const article = {
    title: 'A letter people can use',
    subtitle: 'What changed when it was read',
    body: 'We wrote it again.',
  };
  const reply = { kind: 'reply', body: 'One more' };
  for (const [endpoint, params, body] of [
    [createActivityReaction, { slug, id }, reply],
    [updateActivity, { slug, id }, { body: 'Another' }],
    [updateReaction, { slug, id: replyId }, { body: 'Another' }],
    [createCommunityPoll, { slug }, poll],
    [createPoll, {}, poll],
    [createArticle, {}, article],
  ] as const)
    expect([endpoint.name, (await test.call(endpoint, writer.as, { params, body })).status]).toEqual([
      endpoint.name,
      429,
    ]);
  const like = await test.call(createActivityReaction, writer.as, { params: { slug, id }, body: { kind: 'like' } });
  expect(like.status).toBe(201);
  expect((await test.call(deleteActivity, writer.as, { params: { slug, id } })).status).toBe(204);
  expect((await post(other.as)).status).toBe(201);
});

it('limits an account to two thousand texts an hour', async () => {
  const writer = await makePerson(test);
  await makeMember(db, community, writer);
  const post = async () =>
    await test.call(createActivity, writer.as, { params: { slug }, body: { verb: 'post', body: 'One more' } });
  expect((await post()).status).toBe(201);
  await sql`update rate_limits set used = 1999 where key = ${`write:3600:${writer.id}`}`.execute(db);
  expect((await post()).status).toBe(201);
  const refused = await post();
  expect(refused.status).toBe(429);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3_000);
});

it('limits an account to two megabytes of long texts in ten minutes, and still takes short ones', async () => {
  const writer = people[4]!; // there are sixty
  const post = async (body: string) =>
    (await test.call(createActivity, writer.as, { params: { slug }, body: { verb: 'post', body } })).status;
  expect(await post('long '.repeat(12_000))).toBe(201);
  await sql`update rate_limits set used = ${2 * 1024 * 1024 - 60_000} where key = ${`write-long:${writer.id}`}`.execute(
    db,
  );
  expect(await post('long '.repeat(12_000))).toBe(429);
  expect(await post('short')).toBe(201);
});

it('saves the settings of communities 120 times an hour for one account', async () => {
  const owner = await makePerson(test);
  await makeMember(db, community, owner, { role: 'owner' });
  const body = { locale: 'en', rules: [], slowModeSeconds: 0, postsPerDay: null };
  const save = async () => (await test.call(updateCommunitySettings, owner.as, { params: { slug }, body })).status;
  expect(await save()).toBe(200);
  await sql`update rate_limits set used = 119 where key = ${`updateCommunitySettings:${owner.id}`}`.execute(db);
  expect([await save(), await save()]).toEqual([200, 429]);
});

it('begins sixty walks through feeds a minute', async () => {
  const walk = (query: { cursor?: string }) => test.call(listActivities, caller.as, { params: { slug }, query });
  const statuses: number[] = [];
  for (let nth = 0; nth < 61; nth++) statuses.push((await walk({ cursor: '' })).status);
  expect(statuses).toEqual([...Array<number>(60).fill(200), 429]);
  expect((await walk({})).status).toBe(200);
});
