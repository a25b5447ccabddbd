import * as contract from '@officium/contract/community';
import { castVote, createCommunityPoll } from '@officium/contract/polls';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createTestApp } from '#server/test/app.ts';
import type { TestPerson } from '#server/test/factories/accounts.ts';
import { makeActivity, makeCommunity, type TestCommunity } from '#server/test/factories/communities.ts';
import { membersIn } from '#server/test/factories/members.ts';

const test = await createTestApp();
const { db } = test.ctx;
const memberOf = membersIn(test);

const post = (community: TestCommunity, person: TestPerson, body: object = {}) =>
  test.call(contract.createActivity, person.as, {
    params: { slug: community.slug },
    body: { verb: 'post', body: 'What I say', ...body },
  });
const react = (community: TestCommunity, id: string, person: TestPerson, body: object) =>
  test.call(contract.createActivityReaction, person.as, { params: { slug: community.slug, id }, body });

const vote = (id: string, person: TestPerson) => test.call(castVote, person.as, { params: { id }, body: {} });

async function makePoll({ slug }: TestCommunity, person: TestPerson): Promise<string[]> {
  const options = ['A', 'B'].map((body, index) => ({ position: index + 1, body }));
  const { body } = await test.call(createCommunityPoll, person.as, {
    params: { slug },
    body: { title: 'Which one?', options, settings: { allow_multiple_votes: true } },
  });
  return body.optionIds;
}

/** A member whose access is cached because they have written before. */
async function scene(given: Parameters<typeof makeCommunity>[1] = {}) {
  const community = await makeCommunity(db, given);
  const [author, member] = [await memberOf(community), await memberOf(community)];
  const id = await makeActivity(db, community, author);
  const optionIds = await makePoll(community, author);
  expect((await vote(optionIds[1]!, author)).status).toBe(201); // there are two options
  expect((await post(community, member)).status).toBe(201);
  return { community, member, id, optionId: optionIds[1]! };
}

/** The number of posts and reactions of a community. */
async function count({ id }: TestCommunity) {
  const { rows } = await sql<{ posts: number; reactions: number }>`
    select count(distinct a.id)::int as posts, count(r.id)::int as reactions,
      (select count(*)::int from poll_votes v join activities p on p.id = v.poll_id where p.community_id = ${id}) as votes
    from activities a left join reactions r on r.activity_id = a.id where a.community_id = ${id}`.execute(db);
  return rows[0];
}

// Every change here bypasses this process's cache, as one by another process would.
describe('writing with a cached access', () => {
  for (const [what, change, status] of [
    ['has left', ({ id }: TestCommunity) => sql`delete from community_members where community_id = ${id}`, 403],
    [
      'was muted',
      ({ id }: TestCommunity) => sql`update community_members set level = 0 where community_id = ${id}`,
      403,
    ],
    [
      'is pending again',
      ({ id }: TestCommunity) => sql`update community_members set status = 'pending' where community_id = ${id}`,
      403,
    ],
    [
      'is no longer in the scope',
      ({ id, entryId }: TestCommunity) => sql`
        with gone as (delete from community_members where community_id = ${id})
        update products set can_view = 'private', can_join = 'private' where entry_id = ${entryId}`,
      404,
    ],
    [
      'finds it withdrawn',
      ({ entryId }: TestCommunity) => sql`update entries set status = 'withdrawn' where id = ${entryId}`,
      404,
    ],
  ] as const)
    it(`writes nothing for a user who ${what}`, async () => {
      const { community, member, id, optionId } = await scene({ privacy: 'closed-visible' });
      await change(community).execute(db);
      const answers = [
        await react(community, id, member, { kind: 'like' }),
        await react(community, id, member, { kind: 'reply', body: 'Me too' }),
        await post(community, member),
        await vote(optionId, member),
      ];
      expect(answers.map((answer) => answer.status)).toEqual([status, status, status, status]);
      expect(await count(community)).toEqual({ posts: 3, reactions: 0, votes: 1 });
    });

  it('allows what the current access allows', async () => {
    const { community, member, id } = await scene();
    expect((await react(community, id, member, { kind: 'pin' })).status).toBe(403);
    await sql`update community_members set level = 3 where user_id = ${member.id}`.execute(db);
    expect((await react(community, id, member, { kind: 'pin' })).status).toBe(201);
    await sql`update community_members set level = 2 where user_id = ${member.id}`.execute(db);
    expect((await react(community, id, member, { kind: 'pin' })).status).toBe(403);
  });

  it('finds a poll that moved to another community', async () => {
    const { member, optionId } = await scene();
    const [open, hidden] = [await makeCommunity(db), await makeCommunity(db, { canView: 'private' })];
    for (const [place, status] of [
      [open, 403],
      [hidden, 404],
    ] as const) {
      await sql`
        update activities set community_id = ${place.id}
        where id = (select poll_id from poll_options where id = ${optionId})`.execute(db);
      expect((await vote(optionId, member)).status).toBe(status);
    }
  });

  it('checks the current categories', async () => {
    const { community, member } = await scene({ categories: ['old'] });
    await sql`update communities set categories = '{new}' where id = ${community.id}`.execute(db);
    expect((await post(community, member, { categories: ['new'] })).status).toBe(201);
    const { status, body } = await post(community, member, { categories: ['old'] });
    expect([status, body.issues[0].path]).toEqual([400, 'categories']);
  });

  it('returns the written post with its mentions', async () => {
    const { community, member, id } = await scene();
    const other = await memberOf(community, { who: { name: 'Ada' } });
    const says = { body: `{{${other.id}}}` };
    const { body: posted } = await post(community, member, says);
    const { body: replied } = await react(community, id, member, { kind: 'reply', ...says });
    for (const body of [posted, replied])
      expect(body.mentioned_users).toEqual({ [other.id]: { id: other.id, name: 'Ada' } });
    const read = { params: { slug: community.slug, id: posted.id } };
    expect((await test.call(contract.readActivity, member.as, read)).body).toEqual(posted);
  });

  it('returns a new post and reply as a later read does', async () => {
    const { community, member, id } = await scene();
    const { body: posted } = await post(community, member, { title: '"1" < 2', additional_data: { b: 1, a: [2] } });
    const { body: replied } = await react(community, id, member, { kind: 'reply', body: 'Me *too*' });
    const params = { slug: community.slug, id };
    const { body: read } = await test.call(contract.readActivity, member.as, { params: { ...params, id: posted.id } });
    expect(posted).toEqual(read);
    const { body: page } = await test.call(contract.listActivityReactions, member.as, {
      params,
      query: { kind: 'reply' },
    });
    expect(page.results).toEqual([replied]);
  });
});
