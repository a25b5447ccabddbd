import { deleteActivity, deleteReaction, listActivityReactions, readActivity } from '@officium/contract/community';
import {
  appealDecision,
  decideAppeal,
  listAppeals,
  listMyDecisions,
  listMyReports,
  readDecision,
} from '@officium/contract/decisions';
import { decideReports, reportContent } from '@officium/contract/moderation';
import { listNotifications } from '@officium/contract/notifications';
import { eraseUser } from '@officium/contract/people';
import { search } from '@officium/contract/search';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { newId } from '#server/db/client.ts';
import { sweepJob } from '#server/app/sweep.ts';
import { createTestApp } from '#server/test/app.ts';
import { makePerson, type TestPerson } from '#server/test/factories/accounts.ts';
import { makeActivity, makeCommunity, makeMember, makeReaction } from '#server/test/factories/communities.ts';

const test = await createTestApp();
const { db } = test.ctx;

async function scene(given: Parameters<typeof makeCommunity>[1] = {}) {
  const community = await makeCommunity(db, { categories: ['ideas'], ...given });
  const memberOf = async (how: Parameters<typeof makeMember>[3] = {}) => {
    const person = await makePerson(test);
    await makeMember(db, community, person, how);
    return person;
  };
  const people = {
    author: await memberOf(),
    one: await memberOf(),
    moderator: await memberOf({ level: 3 }),
    second: await memberOf({ level: 3 }),
    owner: await memberOf({ role: 'owner' }),
    admin: await makePerson(test, { role: 'administrator' }),
  };
  const { author, one } = people;
  const word = `w${newId().slice(-8)}`;
  const postId = await makeActivity(db, community, author, { title: `Post ${word}`, body: 'B', categories: ['ideas'] });
  const replyId = await makeReaction(db, community, { activityId: postId }, author, { body: `Reply ${word}` });
  const otherId = await makeReaction(db, community, { activityId: postId }, one, { body: 'An answer' });
  await makeReaction(db, community, { reactionId: replyId }, one, { kind: 'like' });
  const at = { community: community.slug };
  return {
    ...people,
    community,
    word,
    otherId,
    post: { ...at, kind: 'activity', id: postId },
    reply: { ...at, kind: 'reaction', id: replyId },
    params: { slug: community.slug, id: postId },
  };
}
type Scene = Awaited<ReturnType<typeof scene>>;

const remove = (by: TestPerson, thing: object, why: object = { reason: 'hate', note: 'Not like this' }) =>
  test.call(decideReports, by.as, { body: { ...thing, decision: 'remove', ...why } });
const own = async (person: TestPerson) =>
  (await test.call(listMyDecisions, person.as, { query: {} })).body.decisions as { id: string; appeal: string }[];
const read = (person: TestPerson | undefined, id: string) => test.call(readDecision, person?.as, { params: { id } });
const appeal = (person: TestPerson, id: string, text = 'It was meant kindly.') =>
  test.call(appealDecision, person.as, { params: { id }, body: { text } });
const decide = (person: TestPerson, id: string, outcome: string, note?: string) =>
  test.call(decideAppeal, person.as, { params: { id }, body: { outcome, note } });
const told = async (person: TestPerson) =>
  (await test.call(listNotifications, person.as, { query: {} })).body.notifications as {
    event: string;
    path: string;
  }[];

/** Everything that is counted about a community and its posts. */
async function counted({ community, post }: Scene) {
  const { rows } = await sql`
    select a.like_count, a.reply_count, a.people_points, a.hot, activity_count(c.id), (
        select coalesce(json_object_agg(category, n), '{}') from (
          select category, sum(n) as n from activity_counts where community_id = c.id group by category) k) as categories,
      (select json_agg(json_build_object('id', r.id, 'body', r.body, 'likes', r.like_count, 'replies', r.reply_count,
        'at', r.created_at) order by r.id) from reactions r where r.activity_id = a.id) as reactions,
      (select json_agg(p.* order by p.user_id, p.kind) from activity_people p where p.activity_id = a.id) as people
    from activities a join communities c on c.id = a.community_id
    where a.id = ${post.id} and c.id = ${community.id}`.execute(db);
  return rows;
}

/** A removal by the moderator, as its author knows it. */
async function removed(given: Scene, thing: object = given.post) {
  expect((await remove(given.moderator, thing)).status).toBe(200);
  return (await own(given.author))[0]!.id;
}

describe('readDecision', () => {
  it('tells the author what was removed and why, and neither who did nor who reported', async () => {
    const given = await scene();
    const { author, one, moderator, post, word } = given;
    await test.call(reportContent, one.as, { body: { ...post, reason: 'spam', note: 'A note' } });
    const id = await removed(given);
    const { status, body } = await read(author, id);
    expect(status).toBe(200);
    expect(readDecision.replies[200].parse(body)).toBeTruthy();
    expect(body).toMatchObject({
      kind: 'activity',
      reason: 'hate',
      note: 'Not like this',
      byReport: true,
      text: { title: `Post ${word}` },
      appeal: 'none',
      decidedBy: null,
      author: null,
      can: { appeal: true, decide: false },
    });
    expect(JSON.stringify(body)).not.toContain(moderator.id);
    expect(JSON.stringify(body)).not.toContain(one.id);
    expect(await told(author)).toContainEqual(
      expect.objectContaining({ event: 'moderation', path: `/moderation/${id}` }),
    );
    expect(await told(one)).toContainEqual(expect.objectContaining({ event: 'report_outcome' }));
    expect((await test.call(listMyReports, one.as, { query: {} })).body).toMatchObject({
      total: 1,
      reports: [{ reason: 'spam', status: 'removed' }],
    });
  });

  it('is for nobody but the author and those who moderate', async () => {
    const given = await scene();
    const id = await removed(given);
    const stranger = await scene();
    expect((await read(undefined, id)).status).toBe(401);
    for (const person of [given.one, stranger.owner, stranger.moderator])
      expect((await read(person, id)).status).toBe(404);
    for (const person of [given.moderator, given.second, given.owner, given.admin])
      expect((await read(person, id)).body).toMatchObject({ author: { id: given.author.id }, can: { appeal: false } });
    expect((await read(given.author, newId())).status).toBe(404);
  });

  it('is made of a plain deletion by a moderator too, and of none by the author', async () => {
    const { author, moderator, params, reply, otherId, one } = await scene();
    const delReply = (person: TestPerson, id: string) =>
      test.call(deleteReaction, person.as, { params: { slug: params.slug, id } });
    await test.call(reportContent, one.as, { body: { ...reply, reason: 'spam' } });
    expect((await delReply(moderator, reply.id)).status).toBe(204);
    expect((await delReply(one, otherId)).status).toBe(204);
    expect((await test.call(deleteActivity, moderator.as, { params })).status).toBe(204);
    expect(await own(one)).toEqual([]);
    const mine = await own(author);
    expect(mine).toMatchObject([
      { kind: 'activity', reason: 'other' },
      { kind: 'reaction', reason: 'other' },
    ]);
    expect((await read(author, mine[1]!.id)).body).toMatchObject({ byReport: true, note: null });
    expect((await test.call(readActivity, author.as, { params })).status).toBe(404);
  });
});

describe('appealDecision', () => {
  it('is the author’s, once, and within thirty days', async () => {
    const given = await scene();
    const { author, one, moderator } = given;
    const id = await removed(given);
    expect((await appeal(one, id)).status).toBe(404);
    expect((await appeal(moderator, id)).status).toBe(403);
    expect((await appeal(author, id, ' ')).status).toBe(400);
    expect((await appeal(author, id, 'x'.repeat(2001))).status).toBe(400);
    const sent = await Promise.all([appeal(author, id), appeal(author, id), appeal(author, id)]);
    expect(sent.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
    expect((await read(author, id)).body).toMatchObject({ appeal: 'waiting', can: { appeal: false } });

    const late = await removed(given, given.reply).catch(() => undefined);
    expect(late).toBeUndefined(); // it went with its post
  });

  it('is too late after thirty days', async () => {
    const given = await scene();
    const id = await removed(given);
    await sql`update moderation_decisions set decided_at = now() - interval '31 days' where id = ${id}`.execute(db);
    const answer = await appeal(given.author, id);
    expect([answer.status, answer.body.code]).toEqual([409, 'moderation.appeal_closed']);
  });
});

describe('decideAppeal', () => {
  it('is for another moderator than who decided, and not for the author', async () => {
    const given = await scene();
    const { author, moderator, second, one, community } = given;
    const id = await removed(given);
    expect((await decide(second, id, 'upheld')).status).toBe(409);
    await appeal(author, id);
    const query = { community: community.slug };
    const waiting = await test.call(listAppeals, moderator.as, { query });
    expect(waiting.body).toMatchObject({ total: 1, appeals: [{ id, canDecide: false }] });
    expect((await test.call(listAppeals, second.as, { query })).body).toMatchObject({ appeals: [{ canDecide: true }] });
    expect((await test.call(listAppeals, one.as, { query })).status).toBe(403);
    expect((await test.call(listAppeals, one.as, { query: { community: 'no-such-community' } })).status).toBe(404);
    expect((await decide(moderator, id, 'upheld')).body).toMatchObject({ code: 'moderation.same_person' });
    expect((await decide(author, id, 'reversed')).status).toBe(403);
    expect((await decide(one, id, 'reversed')).status).toBe(404);
    const both = await Promise.all([
      decide(second, id, 'upheld', 'It stays'),
      decide(second, id, 'upheld', 'It stays'),
    ]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect((await read(author, id)).body).toMatchObject({
      appeal: 'upheld',
      outcomeNote: 'It stays',
      isRestored: null,
      decidedBy: null,
    });
    expect((await told(author)).filter(({ event }) => event === 'moderation').length).toBeGreaterThan(0);
  });

  it('puts a post back as it was, replies, counters, score and search too, and tells nobody again', async () => {
    const given = await scene();
    const { author, second, one, params, word } = given;
    const before = await counted(given);
    const found = async () => (await test.call(search, one.as, { query: { q: word } })).body;
    const foundBefore = JSON.stringify(await found());
    const id = await removed(given);
    expect(await counted(given)).not.toEqual(before);
    await appeal(author, id);
    const news = (await told(one)).length;
    const answer = await decide(second, id, 'reversed');
    expect(answer.body).toMatchObject({ appeal: 'reversed', isRestored: true });
    expect(await counted(given)).toEqual(before);
    expect((await test.call(readActivity, one.as, { params })).status).toBe(200);
    expect(JSON.stringify(await found())).toBe(foundBefore);
    expect((await told(one)).length).toBe(news);
  });

  it('puts a reply back as it was, with its likes, whether its row was gone or not', async () => {
    for (const hasAnswer of [false, true]) {
      const given = await scene();
      const { author, second, one, community, reply, params } = given;
      if (hasAnswer) await makeReaction(db, community, { reactionId: reply.id }, one, { body: 'To it' });
      const before = await counted(given);
      const id = await removed(given, reply);
      expect(await counted(given)).not.toEqual(before);
      await appeal(author, id);
      const news = (await told(one)).length + (await told(author)).length;
      expect((await decide(second, id, 'reversed')).body).toMatchObject({ isRestored: true });
      expect(await counted(given)).toEqual(before);
      // The outcome takes the place of what its author is told of the decision already.
      expect((await told(one)).length + (await told(author)).length).toBe(news);
      const replies = await test.call(listActivityReactions, one.as, { params, query: {} });
      expect(replies.body.results.map((one: { id: string }) => one.id)).toContain(reply.id);
    }
  });

  it('says so where there is no place any more', async () => {
    const given = await scene();
    const { author, second, reply, params, moderator } = given;
    const id = await removed(given, reply);
    expect((await test.call(deleteActivity, moderator.as, { params })).status).toBe(204);
    await appeal(author, id);
    expect((await decide(second, id, 'reversed')).body).toMatchObject({ appeal: 'reversed', isRestored: false });
  });

  it('of a moderator about an owner is refused', async () => {
    const given = await scene();
    const { owner, admin, second, community } = given;
    const id = await makeActivity(db, community, owner, { title: 'An owner’s' });
    expect((await remove(admin, { ...given.post, id })).status).toBe(200);
    const [decision] = await own(owner);
    await appeal(owner, decision!.id);
    expect((await decide(second, decision!.id, 'reversed')).status).toBe(403);
  });
});

describe('what was removed', () => {
  it('goes with its author, and after half a year', async () => {
    const [first, later] = [await scene(), await scene()];
    const ids = [await removed(first), await removed(later)];
    await appeal(first.author, ids[0]!);
    expect((await test.call(eraseUser, first.admin.as, { params: { id: first.author.id } })).status).toBeLessThan(300);
    await sql`update moderation_decisions set decided_at = now() - interval '7 months' where id = ${ids[1]}`.execute(
      db,
    );
    await sweepJob.run(test.ctx, {});
    const { rows } = await sql`
      select held, appeal_text from moderation_decisions where id = any(${ids}::uuid[])`.execute(db);
    expect(rows).toEqual([
      { held: null, appeal_text: null },
      { held: null, appeal_text: null },
    ]);
    expect((await read(later.author, ids[1]!)).body).toMatchObject({ text: null, can: { appeal: false } });
    expect((await decide(first.second, ids[0]!, 'reversed')).body).toMatchObject({ isRestored: false, author: null });
  });
});
