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

async function setUp(options: Parameters<typeof makeCommunity>[1] = {}) {
  const community = await makeCommunity(db, { categories: ['ideas'], ...options });
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
type Fixture = Awaited<ReturnType<typeof setUp>>;

const remove = (by: TestPerson, thing: object, why: object = { reason: 'hate', note: 'Not like this' }) =>
  test.call(decideReports, by.as, { body: { ...thing, decision: 'remove', ...why } });
const own = async (person: TestPerson) =>
  (await test.call(listMyDecisions, person.as, { query: {} })).body.decisions as { id: string; appeal: string }[];
const read = (person: TestPerson | undefined, id: string) => test.call(readDecision, person?.as, { params: { id } });
const appeal = (person: TestPerson, id: string, text = 'It was meant kindly.') =>
  test.call(appealDecision, person.as, { params: { id }, body: { text } });
const decide = (person: TestPerson, id: string, outcome: string, note?: string) =>
  test.call(decideAppeal, person.as, { params: { id }, body: { outcome, note } });
const notificationsOf = async (person: TestPerson) =>
  (await test.call(listNotifications, person.as, { query: {} })).body.notifications as {
    event: string;
    path: string;
  }[];

/** Every counter of the community, its post and the replies. */
async function countersOf({ community, post }: Fixture) {
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

/** Removes content as the moderator and returns the author's decision id. */
async function removeAndGetDecision(fixture: Fixture, thing: object = fixture.post) {
  expect((await remove(fixture.moderator, thing)).status).toBe(200);
  return (await own(fixture.author))[0]!.id;
}

describe('readDecision', () => {
  it('shows the author the text and the reason, without the moderator and the reporters', async () => {
    const fixture = await setUp();
    const { author, one, moderator, post, word } = fixture;
    await test.call(reportContent, one.as, { body: { ...post, reason: 'spam', note: 'A note' } });
    const id = await removeAndGetDecision(fixture);
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
    expect(await notificationsOf(author)).toContainEqual(
      expect.objectContaining({ event: 'moderation', path: `/moderation/${id}` }),
    );
    expect(await notificationsOf(one)).toContainEqual(expect.objectContaining({ event: 'report_outcome' }));
    expect((await test.call(listMyReports, one.as, { query: {} })).body).toMatchObject({
      total: 1,
      reports: [{ reason: 'spam', status: 'removed' }],
    });
  });

  it('answers 404 except to the author and the moderators', async () => {
    const fixture = await setUp();
    const id = await removeAndGetDecision(fixture);
    const stranger = await setUp();
    expect((await read(undefined, id)).status).toBe(401);
    for (const person of [fixture.one, stranger.owner, stranger.moderator])
      expect((await read(person, id)).status).toBe(404);
    for (const person of [fixture.moderator, fixture.second, fixture.owner, fixture.admin])
      expect((await read(person, id)).body).toMatchObject({
        author: { id: fixture.author.id },
        can: { appeal: false },
      });
    expect((await read(fixture.author, newId())).status).toBe(404);
  });

  it('exists for a deletion by a moderator, and for none by the author', async () => {
    const { author, moderator, params, reply, otherId, one } = await setUp();
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
  it('accepts one appeal, from the author only', async () => {
    const fixture = await setUp();
    const { author, one, moderator } = fixture;
    const id = await removeAndGetDecision(fixture);
    expect((await appeal(one, id)).status).toBe(404);
    expect((await appeal(moderator, id)).status).toBe(403);
    expect((await appeal(author, id, ' ')).status).toBe(400);
    expect((await appeal(author, id, 'x'.repeat(2001))).status).toBe(400);
    const sent = await Promise.all([appeal(author, id), appeal(author, id), appeal(author, id)]);
    expect(sent.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
    expect((await read(author, id)).body).toMatchObject({ appeal: 'waiting', can: { appeal: false } });

    const late = await removeAndGetDecision(fixture, fixture.reply).catch(() => undefined);
    expect(late).toBeUndefined(); // deleted with its post
  });

  it('refuses an appeal after thirty days', async () => {
    const fixture = await setUp();
    const id = await removeAndGetDecision(fixture);
    await sql`update moderation_decisions set decided_at = now() - interval '31 days' where id = ${id}`.execute(db);
    const answer = await appeal(fixture.author, id);
    expect([answer.status, answer.body.code]).toEqual([409, 'moderation.appeal_closed']);
  });
});

describe('decideAppeal', () => {
  it('requires a moderator other than the one who decided and the author', async () => {
    const fixture = await setUp();
    const { author, moderator, second, one, community } = fixture;
    const id = await removeAndGetDecision(fixture);
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
    expect((await notificationsOf(author)).filter(({ event }) => event === 'moderation').length).toBeGreaterThan(0);
  });

  it('restores a post with replies, counters, score and search, without new notifications', async () => {
    const fixture = await setUp();
    const { author, second, one, params, word } = fixture;
    const before = await countersOf(fixture);
    const found = async () => (await test.call(search, one.as, { query: { q: word } })).body;
    const foundBefore = JSON.stringify(await found());
    const id = await removeAndGetDecision(fixture);
    expect(await countersOf(fixture)).not.toEqual(before);
    await appeal(author, id);
    const news = (await notificationsOf(one)).length;
    const answer = await decide(second, id, 'reversed');
    expect(answer.body).toMatchObject({ appeal: 'reversed', isRestored: true });
    expect(await countersOf(fixture)).toEqual(before);
    expect((await test.call(readActivity, one.as, { params })).status).toBe(200);
    expect(JSON.stringify(await found())).toBe(foundBefore);
    expect((await notificationsOf(one)).length).toBe(news);
  });

  it('restores a reply with its likes, whether its row still exists or not', async () => {
    for (const hasAnswer of [false, true]) {
      const fixture = await setUp();
      const { author, second, one, community, reply, params } = fixture;
      if (hasAnswer) await makeReaction(db, community, { reactionId: reply.id }, one, { body: 'To it' });
      const before = await countersOf(fixture);
      const id = await removeAndGetDecision(fixture, reply);
      expect(await countersOf(fixture)).not.toEqual(before);
      await appeal(author, id);
      const news = (await notificationsOf(one)).length + (await notificationsOf(author)).length;
      expect((await decide(second, id, 'reversed')).body).toMatchObject({ isRestored: true });
      expect(await countersOf(fixture)).toEqual(before);
      // The outcome updates the author's unread notification about the decision.
      expect((await notificationsOf(one)).length + (await notificationsOf(author)).length).toBe(news);
      const replies = await test.call(listActivityReactions, one.as, { params, query: {} });
      expect(replies.body.results.map((one: { id: string }) => one.id)).toContain(reply.id);
    }
  });

  it('reports when the content can no longer be restored', async () => {
    const fixture = await setUp();
    const { author, second, reply, params, moderator } = fixture;
    const id = await removeAndGetDecision(fixture, reply);
    expect((await test.call(deleteActivity, moderator.as, { params })).status).toBe(204);
    await appeal(author, id);
    expect((await decide(second, id, 'reversed')).body).toMatchObject({ appeal: 'reversed', isRestored: false });
  });

  it('refuses a moderator when the author is an owner', async () => {
    const fixture = await setUp();
    const { owner, admin, second, community } = fixture;
    const id = await makeActivity(db, community, owner, { title: 'An owner’s' });
    expect((await remove(admin, { ...fixture.post, id })).status).toBe(200);
    const [decision] = await own(owner);
    await appeal(owner, decision!.id);
    expect((await decide(second, decision!.id, 'reversed')).status).toBe(403);
  });
});

describe('a removed text', () => {
  it('is deleted with its author, or after half a year', async () => {
    const [first, later] = [await setUp(), await setUp()];
    const ids = [await removeAndGetDecision(first), await removeAndGetDecision(later)];
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
