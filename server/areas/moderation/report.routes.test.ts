import { deleteActivity, deleteReaction, readActivity, readCommunity } from '@officium/contract/community';
import { MAX_REPORT_NOTE_LENGTH, decideReports, listReports, reportContent } from '@officium/contract/moderation';
import { eraseUser } from '@officium/contract/people';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { newId } from '#server/db/client.ts';
import { createTestApp } from '#server/test/app.ts';
import { makePerson, type TestPerson } from '#server/test/factories/accounts.ts';
import { makeActivity, makeCommunity, makeReaction } from '#server/test/factories/communities.ts';
import { membersIn } from '#server/test/factories/members.ts';

const test = await createTestApp();
const { db } = test.ctx;

const memberOf = membersIn(test);

/** A community with a post and a reply to it, their author, two members, a moderator and an owner. */
async function setUp(options: Parameters<typeof makeCommunity>[1] = {}) {
  const community = await makeCommunity(db, options);
  const author = await memberOf(community);
  const people = {
    author,
    one: await memberOf(community),
    two: await memberOf(community),
    moderator: await memberOf(community, { level: 3 }),
    owner: await memberOf(community, { role: 'owner' }),
  };
  const postId = await makeActivity(db, community, author, { title: 'A post', body: 'With *words*' });
  const replyId = await makeReaction(db, community, { activityId: postId }, author, { body: 'A reply' });
  const at = { community: community.slug };
  const post = { ...at, kind: 'activity', id: postId };
  const reply = { ...at, kind: 'reaction', id: replyId };
  return { ...people, community, at, post, reply };
}

const report = (person: TestPerson | undefined, body: object) => test.call(reportContent, person?.as, { body });
const decide = (person: TestPerson | undefined, body: object) => test.call(decideReports, person?.as, { body });
const list = (person: TestPerson | undefined, query: object) =>
  test.call(listReports, person?.as, { query: query as Record<string, unknown> });
const remove = { decision: 'remove', reason: 'hate' };
const dismiss = { decision: 'dismiss' };
const stored = async (objectId: string) =>
  await db.selectFrom('content_reports').selectAll().where('object_id', '=', objectId).execute();

describe('reportContent', () => {
  it('stores one report per person and post or reply', async () => {
    const { one, post, reply } = await setUp();
    const first = await report(one, { ...post, reason: 'spam', note: '  Buy this  ' });
    expect([first.status, first.body]).toMatchObject([201, { reason: 'spam', note: 'Buy this' }]);
    const again = await report(one, { ...post, reason: 'false' });
    expect([again.status, again.body]).toMatchObject([201, { reason: 'false', note: null }]);
    expect(again.body.createdAt).toBe(first.body.createdAt);
    expect((await report(one, { ...reply, reason: 'insult' })).status).toBe(201);
    expect(await stored(post.id)).toMatchObject([{ user_id: one.id, reason: 'false', note: null, status: 'open' }]);
    expect(await stored(reply.id)).toMatchObject([{ activity_id: post.id, reason: 'insult' }]);
  });

  it('stores one of two concurrent equal reports', async () => {
    const { one, two, post } = await setUp();
    const sent = [one, one, two, one, two].map((person) => report(person, { ...post, reason: 'spam' }));
    expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
    expect((await stored(post.id)).map(({ user_id }) => user_id).toSorted()).toEqual([one.id, two.id].toSorted());
  });

  it('requires a known reason, and a note for the reason "other"', async () => {
    const { one, post } = await setUp();
    for (const wrong of [
      { reason: 'boring' },
      {},
      { reason: 'other' },
      { reason: 'other', note: '  ' },
      { reason: 'spam', note: 'x'.repeat(MAX_REPORT_NOTE_LENGTH + 1) },
      { reason: 'spam', kind: 'like' },
      { reason: 'spam', id: 'x' },
    ])
      expect([wrong, (await report(one, { ...post, ...wrong })).status]).toEqual([wrong, 400]);
    expect((await report(one, { ...post, reason: 'other', note: 'Not for here' })).status).toBe(201);
  });

  it('requires a reader who did not write the content', async () => {
    const { author, one, post, reply, community, at } = await setUp({ privacy: 'closed-visible' });
    const [stranger, elsewhere] = [await makePerson(test), await setUp()];
    expect((await report(undefined, { ...post, reason: 'spam' })).status).toBe(401);
    expect((await report(stranger, { ...post, reason: 'spam' })).status).toBe(403);
    expect((await report(author, { ...post, reason: 'spam' })).status).toBe(403);
    const like = await makeReaction(db, community, { activityId: post.id }, author, { kind: 'like' });
    for (const absent of [
      { ...post, id: newId() },
      { ...post, kind: 'reaction' },
      { ...reply, kind: 'activity' },
      { ...elsewhere.post, ...at },
      { ...at, kind: 'reaction', id: like },
      { ...post, community: 'no-such-community' },
    ])
      expect([absent, (await report(one, { ...absent, reason: 'spam' })).status]).toEqual([absent, 404]);
    // Also in an open community, whose posts every viewer may read.
    const shutOut = await memberOf(elsewhere.community, { level: 0 });
    for (const thing of [elsewhere.post, elsewhere.reply])
      expect((await report(shutOut, { ...thing, reason: 'spam' })).status).toBe(403);
    const reduced = await memberOf(elsewhere.community, { level: 1 });
    expect((await report(reduced, { ...elsewhere.post, reason: 'spam' })).status).toBe(201);
  });

  it('takes the report of a post of an open community from somebody who is not a member', async () => {
    const { post, reply, moderator, at } = await setUp();
    const stranger = await makePerson(test);
    expect((await report(stranger, { ...post, reason: 'spam' })).status).toBe(201);
    expect((await report(stranger, { ...reply, reason: 'spam' })).status).toBe(403); // replies are for members
    expect((await list(moderator, at)).body.total).toBe(1);
  });
});

describe('listReports', () => {
  it('lists the longest waiting first, with the reasons and without the reporters', async () => {
    const { one, two, author, moderator, owner, at, post, reply } = await setUp();
    await report(one, { ...reply, reason: 'insult', note: 'Rude' });
    await report(one, { ...post, reason: 'spam' });
    await report(two, { ...reply, reason: 'hate' });
    const { status, body } = await list(moderator, at);
    expect(status).toBe(200);
    expect(listReports.replies[200].parse(body)).toBeTruthy();
    expect(body).toMatchObject({
      total: 2,
      things: [
        {
          kind: 'reaction',
          id: reply.id,
          activityId: post.id,
          title: null,
          bodyHtml: '<p>A reply</p>\n',
          actor: { id: author.id },
          reports: [
            { reason: 'insult', note: 'Rude' },
            { reason: 'hate', note: null },
          ],
          canRemove: true,
        },
        { kind: 'activity', id: post.id, title: 'A post', reports: [{ reason: 'spam' }] },
      ],
    });
    for (const person of [one, two])
      for (const secret of [person.id, person.name]) expect(JSON.stringify(body)).not.toContain(secret);
    expect((await list(owner, { ...at, limit: 1, offset: 1 })).body).toMatchObject({
      total: 2,
      things: [{ id: post.id }],
    });
  });

  it('requires a moderator or administrator and leaves out their own texts', async () => {
    const { one, moderator, owner, author, community, at, post } = await setUp();
    const admin = await makePerson(test, { role: 'administrator' });
    const own = await makeActivity(db, community, moderator);
    const ofOwner = await makeActivity(db, community, owner);
    for (const id of [own, ofOwner]) await report(one, { ...post, id, reason: 'false' });
    expect((await list(undefined, at)).status).toBe(401);
    for (const person of [one, author, await makePerson(test)]) expect((await list(person, at)).status).toBe(403);
    expect((await list(owner, { community: 'no-such-community' })).status).toBe(404);
    expect((await list(owner, {})).status).toBe(400);
    expect((await list(moderator, at)).body).toMatchObject({ total: 1, things: [{ id: ofOwner, canRemove: false }] });
    expect((await list(owner, at)).body).toMatchObject({ total: 1, things: [{ id: own, canRemove: true }] });
    expect((await list(admin, at)).body.total).toBe(2);
  });

  it('leaves out content deleted meanwhile', async () => {
    const { one, author, moderator, at, post, reply } = await setUp();
    await report(one, { ...post, reason: 'spam' });
    await report(one, { ...reply, reason: 'spam' });
    expect((await list(moderator, at)).body.total).toBe(2);
    await test.call(deleteActivity, author.as, { params: { slug: post.community, id: post.id } });
    expect((await list(moderator, at)).body).toEqual({ things: [], total: 0 });
  });

  it('agrees with the count on the community page', async () => {
    const { one, two, author, moderator, owner, community, at, post, reply } = await setUp();
    const own = await makeActivity(db, community, moderator);
    await report(one, { ...post, id: own, reason: 'false' });
    for (const person of [one, two]) await report(person, { ...reply, reason: 'spam' });
    await report(one, { ...post, reason: 'spam' });
    const countOnPage = async (person: TestPerson) =>
      (await test.call(readCommunity, person.as, { params: { slug: at.community } })).body.waiting?.reports;
    const listed = async (person: TestPerson) => (await list(person, at)).body.total;
    expect([await countOnPage(owner), await countOnPage(moderator)]).toEqual([3, 2]);
    expect([await listed(owner), await listed(moderator)]).toEqual([3, 2]);
    await test.call(deleteReaction, author.as, { params: { slug: at.community, id: reply.id } });
    await decide(owner, { ...dismiss, ...post });
    expect([await countOnPage(owner), await countOnPage(moderator)]).toEqual([1, 0]);
    expect([await listed(owner), await listed(moderator)]).toEqual([1, 0]);
  });
});

describe('decideReports', () => {
  it('keeps the content and closes its reports until it is reported again', async () => {
    const { one, two, moderator, at, post } = await setUp();
    for (const person of [one, two]) await report(person, { ...post, reason: 'spam' });
    const { status, body } = await decide(moderator, { ...post, ...dismiss, note: 'It is on topic' });
    expect([status, body]).toEqual([200, { decided: 2 }]);
    expect((await list(moderator, at)).body.total).toBe(0);
    expect((await decide(moderator, { ...post, ...dismiss })).status).toBe(404);
    expect((await test.call(readActivity, one.as, { params: { slug: at.community, id: post.id } })).status).toBe(200);
    await report(one, { ...post, reason: 'hate' });
    expect((await list(moderator, at)).body).toMatchObject({ total: 1, things: [{ reports: [{ reason: 'hate' }] }] });
  });

  it('removes a post or reply for a reason, with or without a report', async () => {
    const { one, moderator, at, post, reply, community } = await setUp();
    await report(one, { ...reply, reason: 'insult' });
    expect((await decide(moderator, { ...reply, ...remove })).body).toEqual({ decided: 1 });
    expect((await decide(moderator, { ...post, ...remove })).body).toEqual({ decided: 0 });
    expect((await test.call(readActivity, one.as, { params: { slug: at.community, id: post.id } })).status).toBe(404);
    expect(await stored(reply.id)).toMatchObject([
      { status: 'removed', decided_by: moderator.id, decision_reason: 'hate' },
    ]);
    const { rows } = await sql<{ detail: object }>`
      select detail from audit_log where object in (${reply.id}, ${post.id}) order by id`.execute(db);
    expect(rows).toMatchObject([{ detail: { reason: 'hate' } }, { detail: { reason: 'hate' } }]);
    expect((await decide(moderator, { ...post, ...remove })).status).toBe(404);
    expect((await report(one, { ...post, reason: 'spam' })).status).toBe(404);
    const left = await sql`select activity_count(${community.id}) as n`.execute(db);
    expect(left.rows).toEqual([{ n: 0 }]);
  });

  it('requires a moderator who did not write the content, and a reason for a removal', async () => {
    const { one, author, moderator, owner, community, post } = await setUp();
    await report(one, { ...post, reason: 'spam' });
    expect((await decide(undefined, { ...post, ...dismiss })).status).toBe(401);
    for (const person of [one, author]) expect((await decide(person, { ...post, ...dismiss })).status).toBe(403);
    const [own, ofOwner] = [await makeActivity(db, community, moderator), await makeActivity(db, community, owner)];
    await report(one, { ...post, id: own, reason: 'spam' });
    for (const decision of [dismiss, remove])
      expect((await decide(moderator, { ...post, id: own, ...decision })).status).toBe(403);
    expect((await decide(moderator, { ...post, id: ofOwner, ...remove })).status).toBe(403);
    expect((await decide(owner, { ...post, id: own, ...dismiss })).status).toBe(200);
    for (const wrong of [{}, { decision: 'remove' }, { decision: 'remove', reason: 'other' }, { decision: 'keep' }])
      expect([wrong, (await decide(moderator, { ...post, ...wrong })).status]).toEqual([wrong, 400]);
    expect((await decide(moderator, { ...post, id: newId(), ...remove })).status).toBe(404);
  });

  it('takes effect once when two moderators decide concurrently', async () => {
    const { one, moderator, owner, post } = await setUp();
    await report(one, { ...post, reason: 'spam' });
    const answers = await Promise.all([moderator, owner].map((person) => decide(person, { ...post, ...remove })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404]);
    expect((await stored(post.id)).map(({ status }) => status)).toEqual(['removed']);
  });
});

it('keeps the report of an erased person without its note', async () => {
  const { one, moderator, at, post } = await setUp();
  const admin = await makePerson(test, { role: 'administrator' });
  await report(one, { ...post, reason: 'privacy', note: 'My number is in it' });
  expect((await test.call(eraseUser, admin.as, { params: { id: one.id } })).status).toBeLessThan(300);
  expect((await list(moderator, at)).body.things).toMatchObject([{ reports: [{ reason: 'privacy', note: null }] }]);
});

it('does not reveal a report to the author of the content', async () => {
  const { one, author, moderator, at, post } = await setUp();
  const params = { slug: at.community, id: post.id };
  const seen = async () => {
    const notifications = await db.selectFrom('notifications').selectAll().where('user_id', '=', author.id).execute();
    return [(await test.call(readActivity, author.as, { params })).body, notifications];
  };
  const before = await seen();
  await report(one, { ...post, reason: 'other', note: 'Between us' });
  await decide(moderator, { ...post, ...dismiss });
  expect(await seen()).toEqual(before);
});
