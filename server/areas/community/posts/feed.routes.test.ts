import * as contract from '@officium/contract/community';
import type { Endpoint } from '@officium/contract/endpoint';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { newId } from '#server/db/client.ts';
import { openSession } from '#server/access/sessions.ts';
import { createTestApp } from '#server/test/app.ts';
import { makePerson, type TestPerson } from '#server/test/factories/accounts.ts';
import {
  makeActivity,
  makeCommunity,
  makeMember,
  makeReaction,
  type TestCommunity,
} from '#server/test/factories/communities.ts';
import { membersIn } from '#server/test/factories/members.ts';

const test = await createTestApp();
const { db } = test.ctx;

const memberOf = membersIn(test);

const feed = (community: TestCommunity, person?: TestPerson, query: Record<string, unknown> = {}) =>
  test.call(contract.listActivities, person?.as, { params: { slug: community.slug }, query });
const read = (community: TestCommunity, id: string, person?: TestPerson, query: Record<string, unknown> = {}) =>
  test.call(contract.readActivity, person?.as, { params: { slug: community.slug, id }, query });
const edit = (community: TestCommunity, id: string, person: TestPerson | undefined, body: unknown) =>
  test.call(contract.updateActivity, person?.as, { params: { slug: community.slug, id }, body });
const remove = (community: TestCommunity, id: string, person?: TestPerson) =>
  test.call(contract.deleteActivity, person?.as, { params: { slug: community.slug, id } });

describe('listActivities', () => {
  it('cuts a page of the largest posts, and continues at the cut', async () => {
    const community = await makeCommunity(db);
    const maya = await memberOf(community);
    // Each link becomes several times as long in HTML.
    const longest = { body: 'http://a.b '.repeat(5_900), categories: ['long'] };
    const ids = new Set<string>();
    for (let n = 0; n < 32; n++) ids.add(await makeActivity(db, community, maya, longest));
    const asked = [
      { by: undefined, query: {} },
      { by: maya, query: {} },
      ...contract.RANKINGS.map((ranking) => ({ by: maya, query: { ranking, limit: 100 } })),
      { by: maya, query: { category: 'long', limit: 100 } },
    ];
    for (const { by, query } of asked) {
      const seen: string[] = [];
      for (let offset: number | null = 0; offset !== null;) {
        const { body } = await feed(community, by, { ...query, offset });
        expect(JSON.stringify(body).length).toBeLessThan(5 * 1024 * 1024);
        seen.push(...body.results.map(({ id }: { id: string }) => id));
        expect(body.nextOffset).toBe(seen.length < ids.size ? seen.length : null);
        offset = body.nextOffset;
      }
      expect(seen).toHaveLength(ids.size);
      expect(new Set(seen)).toEqual(ids);
    }
  });

  it('returns 30 posts by default, with the offset of the next page', async () => {
    const community = await makeCommunity(db);
    const maya = await memberOf(community);
    const start = Date.now() - 1e9;
    const ids: string[] = [];
    for (let n = 0; n < 35; n++)
      ids.unshift(await makeActivity(db, community, maya, { createdAt: new Date(start + n * 1000) }));
    const first = await feed(community, maya);
    expect(contract.listActivities.replies[200].strict().parse(first.body)).toBeTruthy();
    expect(first.body).toMatchObject({ total: 35, nextOffset: 30 });
    expect(first.body.results.map((activity: { id: string }) => activity.id)).toEqual(ids.slice(0, 30));
    const second = await feed(community, maya, { offset: 30, limit: 10 });
    expect(second.body).toMatchObject({ total: 35, nextOffset: null });
    expect(second.body.results.map((activity: { id: string }) => activity.id)).toEqual(ids.slice(30));
    for (const ranking of contract.RANKINGS)
      expect(
        (await feed(community, maya, { ranking, limit: 100 })).body.results.map(
          (activity: { id: string }) => activity.id,
        ),
      ).toEqual(ids);
    expect((await feed(community, maya, { limit: 0 })).body.results).toHaveLength(30);
    expect((await feed(community, maya, { offset: 10_000 })).body).toEqual({
      results: [],
      total: 35,
      nextOffset: null,
    });
  });

  it('returns no next offset that would be refused', async () => {
    const community = await makeCommunity(db);
    const maya = await memberOf(community);
    await makeActivity(db, community, maya);
    await sql`update activity_counts set n = 20000 where community_id = ${community.id}`.execute(db);
    const next = async (query: Record<string, unknown>) => (await feed(community, maya, query)).body.nextOffset;
    expect(await next({ offset: 9_990, limit: 10 })).toBe(10_000);
    expect(await next({ offset: 9_991, limit: 10 })).toBeNull();
    expect(await next({ ranking: 'community_feed_testing', offset: 890, limit: 100 })).toBe(990);
    expect(await next({ ranking: 'community_feed_testing', offset: 900, limit: 100 })).toBeNull();
  });

  it('refuses unknown rankings, negative and huge numbers', async () => {
    const community = await makeCommunity(db);
    for (const query of [
      { ranking: 'id; drop table users' },
      { ranking: '' },
      { limit: -1 },
      { limit: 101 },
      { limit: 'x' },
      { offset: -1 },
      { offset: 10_001 },
      { offset: '1e3' },
      { locale: 'tlh' },
    ])
      expect([query, (await feed(community, undefined, query)).status]).toEqual([query, 400]);
  });

  it('ranks by people and age, and puts pinned posts first where asked to', async () => {
    const community = await makeCommunity(db);
    const [author, ...reactors] = [
      await memberOf(community),
      await memberOf(community),
      await memberOf(community),
      await memberOf(community),
    ];
    const owner = await memberOf(community, { role: 'owner' });
    const hours = (ago: number) => new Date(Date.now() - ago * 3_600_000);
    const oldest = await makeActivity(db, community, author!, { createdAt: hours(400) });
    const liked = await makeActivity(db, community, author!, { createdAt: hours(30) });
    const newest = await makeActivity(db, community, author!, { createdAt: hours(1) });
    const order = async (ranking?: string) =>
      (await feed(community, owner, { ranking })).body.results.map(({ id }: { id: string }) => id);
    expect(await order()).toEqual([newest, liked, oldest]);
    for (const reactor of reactors) await makeReaction(db, community, { activityId: liked }, reactor);
    // ln(1 + 3 × 2) × 75 000 s are 40 hours.
    expect(await order()).toEqual([liked, newest, oldest]);
    await makeReaction(db, community, { activityId: newest }, author!);
    await makeReaction(db, community, { activityId: newest }, author!, { kind: 'like' });
    expect(await order()).toEqual([liked, newest, oldest]);
    await makeReaction(db, community, { activityId: oldest }, owner, { kind: 'pin' });
    expect(await order()).toEqual([liked, newest, oldest]);
    expect(await order('recent_with_pin')).toEqual([oldest, newest, liked]);
    expect((await order('community_feed_testing')).at(-1)).toBe(oldest);
    expect((await feed(community, owner, { ranking: 'recent_with_pin' })).body.results[0]).toMatchObject({
      pinned: true,
      own_reactions: { pin: expect.any(String) },
    });
  });

  it('filters by category, with quotes in its name', async () => {
    const community = await makeCommunity(db, { categories: ['events', "o'clock"] });
    const maya = await memberOf(community);
    const id = await makeActivity(db, community, maya, { categories: ['events', "o'clock"] });
    await makeActivity(db, community, maya);
    const found = await feed(community, maya, { category: "o'clock" });
    expect(found.body).toMatchObject({ total: 1, results: [{ id }], nextOffset: null });
    expect(
      (await feed(community, maya, { category: 'events', ranking: 'community_feed_testing', limit: 5 })).body.total,
    ).toBe(1);
    expect((await feed(community, maya, { category: 'none' })).body).toEqual({
      results: [],
      total: 0,
      nextOffset: null,
    });
    expect((await feed(community, maya, { category: '' })).body.total).toBe(2);
  });

  it('shows each viewer only their own likes', async () => {
    const community = await makeCommunity(db);
    const [maya, ana] = [await memberOf(community), await memberOf(community)];
    const id = await makeActivity(db, community, maya);
    const like = await makeReaction(db, community, { activityId: id }, ana, { kind: 'like' });
    expect((await feed(community, ana)).body.results[0]).toMatchObject({
      own_reactions: { like },
      reaction_counts: { like: 1, reply: 0 },
    });
    expect((await feed(community, maya)).body.results[0].own_reactions).toEqual({});
    expect((await feed(community)).body.results[0].own_reactions).toEqual({});
  });

  it('shows private profiles by name only, erased people not at all, and anonymous viewers only names', async () => {
    const community = await makeCommunity(db);
    const open = await memberOf(community, { who: { name: 'Open' } });
    const shy = await memberOf(community, { who: { name: 'Shy', visibility: 'private' } });
    const gone = await memberOf(community, { who: { name: 'Gone' } });
    for (const person of [open, shy, gone])
      await makeActivity(db, community, person, { body: `I, {{${gone.id}}} and {{${shy.id}}}` });
    await sql`update users set job_title = 'Clerk', organization = 'Town' where id in (${open.id}, ${shy.id}, ${gone.id})`.execute(
      db,
    );
    await sql`update users set erased_at = now(), email = null where id = ${gone.id}`.execute(db);
    const seen = async (person?: TestPerson) =>
      (await feed(community, person)).body.results.map(
        ({ actor }: { actor: { id: string; name: string; isDeleted?: true; jobTitle: string } }) => [
          actor.id,
          actor.name,
          actor.isDeleted,
          actor.jobTitle,
        ],
      );
    const zero = '00000000-0000-0000-0000-000000000000';
    const erased = [zero, 'Deleted user', true, null];
    const without = undefined;
    expect(await seen(open)).toEqual([erased, [shy.id, 'Shy', without, null], [open.id, 'Open', without, 'Clerk']]);
    expect(await seen(shy)).toEqual([erased, [shy.id, 'Shy', without, 'Clerk'], [open.id, 'Open', without, 'Clerk']]);
    expect(await seen()).toEqual([erased, [shy.id, 'Shy', without, null], [open.id, 'Open', without, null]]);
    expect((await feed(community, open)).body.results[0].mentioned_users).toEqual({
      [shy.id]: { id: shy.id, name: 'Shy' },
    });
  });

  it('shows counts of a poll only when its settings allow', async () => {
    const community = await makeCommunity(db);
    const [maya, voter] = [await memberOf(community), await memberOf(community)];
    const id = await makeActivity(db, community, maya, { title: 'Which?' });
    const [a, b] = [newId(), newId()];
    await sql`update activities set verb = 'poll' where id = ${id}`.execute(db);
    await sql`insert into polls (id, vote_count, voter_count) values (${id}, 1, 1)`.execute(db);
    await sql`insert into poll_options (id, poll_id, position, body, vote_count) values (${b}, ${id}, 2, 'B', 0), (${a}, ${id}, 1, 'A', 1)`.execute(
      db,
    );
    const vote = newId();
    await sql`insert into poll_votes (id, poll_id, option_id, user_id, is_only) values (${vote}, ${id}, ${a}, ${voter.id}, true)`.execute(
      db,
    );
    const poll = async (person: TestPerson) => {
      const { body } = await feed(community, person);
      expect(contract.listActivities.replies[200].strict().parse(body)).toBeTruthy();
      expect((await read(community, id, person)).body).toEqual(body.results[0]);
      return body.results[0].poll;
    };
    const options = [
      { id: a, position: 1, body: 'A' },
      { id: b, position: 2, body: 'B' },
    ];
    const settings = {
      allow_multiple_votes: false,
      deadline_at: null,
      hide_participants: true,
      number_of_winners: 1,
      results_visibility: 'after-voting',
    };
    expect(await poll(maya)).toEqual({ id, title: 'Which?', settings, options, ownVotes: [], closed: false });
    const counted = [
      { ...options[0], votes: 1 },
      { ...options[1], votes: 0 },
    ];
    expect(await poll(voter)).toEqual({
      id,
      title: 'Which?',
      settings,
      options: counted,
      totalVotes: 1,
      ownVotes: [{ id: vote, optionId: a }],
      closed: false,
    });
    await sql`update polls set deadline_at = now() - interval '1 second' where id = ${id}`.execute(db);
    expect(await poll(maya)).toMatchObject({
      options: counted,
      totalVotes: 1,
      closed: true,
      winners: [a],
      settings: { deadline_at: expect.stringMatching(/Z$/) },
    });
    await sql`update poll_options set vote_count = 1 where poll_id = ${id}`.execute(db);
    expect((await poll(maya)).winners).toEqual([a, b]);
    await sql`update poll_options set vote_count = 0 where poll_id = ${id}`.execute(db);
    expect((await poll(maya)).winners).toEqual([]);
    expect((await edit(community, id, maya, { title: 'Other' })).status).toBe(409);
    expect((await remove(community, id, maya)).status).toBe(204);
  });

  it('depends on privacy, scope and membership', async () => {
    const admin = await makePerson(test, { role: 'administrator' });
    const servant = await makePerson(test);
    const citizen = await makePerson(test, { role: 'non-public-servant' });
    const inactive = await makePerson(test, { role: 'inactive' });
    const rows: [Parameters<typeof makeCommunity>[1], number, number, number][] = [
      [{ privacy: 'open-visible', canView: 'public' }, 200, 200, 200],
      [{ privacy: 'open-hidden', canView: 'authenticated' }, 404, 200, 200],
      [{ privacy: 'open-visible', canView: 'verified' }, 404, 404, 200],
      [{ privacy: 'open-visible', canView: 'private' }, 404, 404, 404],
      [{ privacy: 'closed-visible', canView: 'public' }, 401, 403, 403],
      [{ privacy: 'closed-visible', canView: 'verified' }, 404, 404, 403],
      [{ privacy: 'closed-hidden', canView: 'public' }, 404, 404, 404],
    ];
    for (const [given, anonymous, np, ps] of rows) {
      const community = await makeCommunity(db, given);
      const member = await memberOf(community, { who: { role: 'non-public-servant' } });
      const id = await makeActivity(db, community, member);
      const statuses = async (ask: (person?: TestPerson) => Promise<{ status: number }>) =>
        await Promise.all(
          [undefined, citizen, servant, member, admin, inactive].map(async (person) => (await ask(person)).status),
        );
      expect([given, await statuses((person) => feed(community, person))]).toEqual([
        given,
        [anonymous, np, ps, 200, 200, 404],
      ]);
      expect([given, await statuses((person) => read(community, id, person))]).toEqual([
        given,
        [anonymous, np, ps, 200, 200, 404],
      ]);
    }
  });

  it('answers a hidden community byte for byte as a missing one', async () => {
    const hidden = await makeCommunity(db, { privacy: 'closed-hidden' });
    const stranger = await makePerson(test);
    const operations: Endpoint[] = [
      contract.listActivities,
      contract.readActivity,
      contract.updateActivity,
      contract.deleteActivity,
      contract.createActivity,
      contract.readCommunity,
      contract.listMembers,
      contract.joinCommunity,
      contract.leaveCommunity,
      contract.createActivityReaction,
      contract.listActivityReactions,
      contract.deleteReaction,
    ];
    const id = newId();
    for (const operation of operations) {
      const bodies = [];
      for (const slug of [hidden.slug, 'no-such-community']) {
        const { status, body } = await test.call(operation, stranger.as, {
          params: { slug, id },
          body: operation.body ? { title: 'x', kind: 'like' } : undefined,
        });
        expect([operation.name, status]).toEqual([operation.name, 404]);
        bodies.push({ ...body, requestId: '' });
      }
      expect(bodies[0]).toEqual(bodies[1]);
    }
  });

  it("ignores a membership that the session's token leaves out", async () => {
    const closed = await makeCommunity(db, { privacy: 'closed-visible' });
    const hidden = await makeCommunity(db, { privacy: 'closed-hidden' });
    const unlisted = await makeCommunity(db, { privacy: 'open-hidden', canView: 'private' });
    const maya = await makePerson(test);
    const admin = await makePerson(test, { role: 'administrator' });
    for (const community of [closed, hidden, unlisted]) await makeMember(db, community, maya);
    for (const person of [maya, admin]) {
      const narrow = async (communities: Record<string, number>) => ({
        ...person,
        as: { token: await openSession(db, { userId: person.id, permissions: { communities } }) },
      });
      const elsewhere = await narrow({ elsewhere: 3, [closed.slug]: 0 });
      expect((await feed(closed, elsewhere)).status).toBe(403);
      expect((await feed(hidden, elsewhere)).status).toBe(404);
      expect((await feed(unlisted, maya === person ? elsewhere : undefined)).status).toBe(404);
      const listed = await test.call(contract.listCommunities, elsewhere.as);
      expect(listed.status).toBe(200);
      const slugs = listed.body.communities.map(({ slug }: { slug: string }) => slug);
      expect(slugs).not.toContain(hidden.slug);
      expect(listed.body.total).toBe(slugs.length);
      const { slug } = await makeCommunity(db);
      expect((await test.call(contract.joinCommunity, elsewhere.as, { params: { slug } })).status).toBe(403);
      expect((await feed(hidden, await narrow({ [hidden.slug]: 1 }))).status).toBe(200);
    }
  });

  it('shows a member with the level none no more than the page', async () => {
    for (const privacy of ['closed-visible', 'closed-hidden'] as const) {
      const community = await makeCommunity(db, { privacy });
      const muted = await memberOf(community, { level: 0 });
      expect((await feed(community, muted)).status).toBe(403);
      const { status, body } = await test.call(contract.readCommunity, muted.as, { params: { slug: community.slug } });
      expect([status, body.permissions.level]).toEqual([200, 'none']);
      expect((await test.call(contract.leaveCommunity, muted.as, { params: { slug: community.slug } })).status).toBe(
        204,
      );
    }
  });

  it('records hourly that an administrator who is no member reads a closed community', async () => {
    const notes = async ({ id }: TestCommunity) =>
      await db
        .selectFrom('audit_log')
        .select(['actor', 'action'])
        .where('object', '=', id)
        .where('action', '=', 'community.read-private')
        .execute();
    const [closed, hidden, open] = [
      await makeCommunity(db, { privacy: 'closed-visible' }),
      await makeCommunity(db, { privacy: 'closed-hidden' }),
      await makeCommunity(db),
    ];
    const admin = await makePerson(test, { role: 'administrator' });
    const id = await makeActivity(db, hidden, await memberOf(hidden));
    await test.call(contract.readCommunity, admin.as, { params: { slug: hidden.slug } });
    expect(await notes(hidden)).toEqual([]);
    await Promise.all(Array.from({ length: 20 }, () => feed(closed, admin)));
    expect(await notes(closed)).toEqual([{ actor: admin.id, action: 'community.read-private' }]);
    await read(hidden, id, admin);
    await feed(hidden, admin);
    await feed(open, admin);
    expect(await notes(hidden)).toHaveLength(1);
    expect(await notes(open)).toEqual([]);
    const other = await makePerson(test, { role: 'administrator' });
    await test.call(contract.listActivityReactions, other.as, { params: { slug: hidden.slug, id } });
    expect(await notes(hidden)).toHaveLength(2);
    const inside = await memberOf(closed, { who: { role: 'administrator' } });
    await feed(closed, inside);
    expect(await notes(closed)).toHaveLength(1);
  });

  it('hides a withdrawn community', async () => {
    const community = await makeCommunity(db);
    await sql`update entries set status = 'withdrawn' where id = ${community.entryId}`.execute(db);
    expect((await feed(community)).status).toBe(404);
    expect((await test.call(contract.readCommunity, undefined, { params: { slug: community.slug } })).status).toBe(404);
  });
});
