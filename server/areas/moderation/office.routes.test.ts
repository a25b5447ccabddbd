import { deleteActivity } from '@officium/contract/community';
import { updateCommunitySettings } from '@officium/contract/community-settings';
import { decideReports, listReports, reportContent } from '@officium/contract/moderation';
import { claimCase, listCases, listModerationFigures, listModerationLog } from '@officium/contract/moderation-office';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { newId } from '#server/db/client.ts';
import { createTestApp } from '#server/test/app.ts';
import { makePerson, type TestPerson } from '#server/test/factories/accounts.ts';
import { makeActivity, makeCommunity, makeMember } from '#server/test/factories/communities.ts';

const test = await createTestApp();
const { db } = test.ctx;

async function setUp() {
  const community = await makeCommunity(db);
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
  const id = await makeActivity(db, community, people.author, { title: 'A post' });
  const post = { community: community.slug, kind: 'activity', id };
  const report = async (fields: object = {}) =>
    await test.call(reportContent, people.one.as, { body: { ...post, reason: 'spam', ...fields } });
  const claim = async (person: TestPerson, fields: object = {}) =>
    await test.call(claimCase, person.as, { body: { ...post, take: true, ...fields } });
  const decide = async (person: TestPerson, body: object = { decision: 'dismiss' }) =>
    await test.call(decideReports, person.as, { body: { ...post, ...body } });
  return { ...people, community, post, report, claim, decide };
}

describe('claimCase', () => {
  it('reserves a case for one moderator until it is decided, released or half an hour has passed', async () => {
    const { moderator, second, community, post, report, claim, decide } = await setUp();
    await report();
    const both = await Promise.all([claim(moderator), claim(second)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const [holder, other] = both[0].status === 200 ? [moderator, second] : [second, moderator];
    expect((await decide(other)).body).toMatchObject({ statusCode: 409, code: 'moderation.taken' });
    const list = await test.call(listReports, other.as, { query: { community: community.slug } });
    expect(list.body.things).toMatchObject([{ claim: { name: holder.name, isOwn: false } }]);

    expect((await claim(holder, { take: false })).body).toEqual({ until: null });
    expect((await claim(other)).status).toBe(200);
    await sql`update moderation_claims set until = now() where object_id = ${post.id}`.execute(db);
    expect((await claim(holder)).status).toBe(200);
    expect((await decide(holder)).status).toBe(200);
    expect((await decide(other)).status).toBe(404);
  });

  it('requires a moderator who did not write the content', async () => {
    const { one, author, moderator, community, claim } = await setUp();
    expect((await claim(one)).status).toBe(403);
    expect((await claim(moderator, { id: newId() })).status).toBe(404);
    await db.updateTable('community_members').set({ level: 3 }).where('user_id', '=', author.id).execute();
    expect((await claim(author)).status).toBe(403);
    expect(community.slug).toBeTruthy();
  });
});

describe('decideReports', () => {
  it('accepts one of two concurrent decisions', async () => {
    const { moderator, second, report, decide, post } = await setUp();
    await report();
    const remove = { decision: 'remove', reason: 'hate' };
    const answers = await Promise.all([decide(moderator, remove), decide(second, remove)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404]);
    const kept = await db.selectFrom('moderation_decisions').select('id').where('object_id', '=', post.id).execute();
    expect(kept).toHaveLength(1);
  });

  it('accepts a rule of the community, as a report does', async () => {
    const { owner, moderator, report, decide, community, post } = await setUp();
    expect((await report({ rule: 1 })).status).toBe(400);
    await test.call(updateCommunitySettings, owner.as, {
      params: { slug: community.slug },
      body: { locale: 'en', rules: ['Be *kind*'], slowModeSeconds: 0, postsPerDay: null },
    });
    expect((await report({ rule: 1 })).body).toMatchObject({ rule: 1 });
    expect((await decide(moderator, { decision: 'remove', reason: 'hate', rule: 2 })).status).toBe(400);
    expect((await decide(moderator, { decision: 'remove', reason: 'hate', rule: 1 })).status).toBe(200);
    const row = await db
      .selectFrom('moderation_decisions')
      .select(['rule', 'rule_html', 'reason'])
      .where('object_id', '=', post.id)
      .executeTakeFirst();
    expect(row).toEqual({ rule: 1, rule_html: '<p>Be <em>kind</em></p>\n', reason: 'hate' });
  });
});

describe('listCases', () => {
  it('shows administrators waiting and decided cases without the texts', async () => {
    const { admin, moderator, report, decide, community } = await setUp();
    await report();
    const ask = async (query: Record<string, string>) =>
      (await test.call(listCases, admin.as, { query: { community: community.slug, ...query } })).body;
    const waiting = await ask({});
    expect(listCases.replies[200].parse(waiting)).toBeTruthy();
    expect(waiting).toMatchObject({ total: 1, cases: [{ status: 'waiting', reasons: ['spam'], reports: 1 }] });
    expect(JSON.stringify(waiting)).not.toContain('A post');
    expect((await ask({ reason: 'hate' })).total).toBe(0);
    expect((await ask({ kind: 'reaction' })).total).toBe(0);
    await decide(moderator, { decision: 'remove', reason: 'hate' });
    expect((await ask({})).total).toBe(0);
    expect(await ask({ state: 'decided', sort: '-reports' })).toMatchObject({
      total: 1,
      cases: [{ status: 'removed', reasons: ['hate'], reports: 1, decidedBy: moderator.name, appeal: 'none' }],
    });
    expect((await test.call(listCases, moderator.as, { query: {} })).status).toBe(403);
  });
});

describe('listModerationLog', () => {
  it('shows moderators who did what, when and why', async () => {
    const { one, moderator, owner, community, post } = await setUp();
    await test.call(deleteActivity, moderator.as, { params: { slug: community.slug, id: post.id } });
    const ask = (person: TestPerson, slug = community.slug) =>
      test.call(listModerationLog, person.as, { query: { community: slug } });
    expect((await ask(owner)).body).toMatchObject({
      more: false,
      acts: [{ action: 'community.delete-activity', actor: { id: moderator.id }, reason: null }],
    });
    expect((await ask(one)).status).toBe(403);
    expect((await ask(owner, 'no-such-community')).status).toBe(404);
  });
});

describe('listModerationFigures', () => {
  it('publishes yearly counts and withholds low ones', async () => {
    const { report, decide, moderator } = await setUp();
    await report();
    await decide(moderator);
    const { status, body } = await test.call(listModerationFigures, undefined, {});
    expect(status).toBe(200);
    expect(listModerationFigures.replies[200].parse(body)).toBeTruthy();
    expect(body.years[0].byReason).toHaveLength(7);
    for (const { count } of body.years[0].byReason) expect(count === null || count === 0 || count >= 5).toBe(true);
  });
});
