import { createActivityReaction, deleteActivity, listActivities, RANKINGS } from '@officium/contract/community';
import { explainActivityRank, RankExplanation } from '@officium/contract/ranks';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { newId } from '#server/db/client.ts';
import { createTestApp } from '#server/test/app.ts';
import { makePerson, type TestPerson } from '#server/test/factories/accounts.ts';
import { makeActivity, makeCommunity, makeMember, type TestCommunity } from '#server/test/factories/communities.ts';
import { membersIn } from '#server/test/factories/members.ts';
import { countQueries } from '#server/test/queries.ts';

const test = await createTestApp();
const { db } = test.ctx;
const countWhile = countQueries(test);
const memberOf = membersIn(test);

const explain = (community: TestCommunity, id: string, person?: TestPerson, query: Record<string, unknown> = {}) =>
  test.call(explainActivityRank, person?.as, { params: { slug: community.slug, id }, query });
const react = (community: TestCommunity, id: string, person: TestPerson, body: object) =>
  test.call(createActivityReaction, person.as, { params: { slug: community.slug, id }, body });
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);

/** Posts of different ages with different reactions, one of them pinned. */
async function makeFeed() {
  const community = await makeCommunity(db);
  const author = await memberOf(community);
  const people = await Promise.all([1, 2, 3].map(() => memberOf(community)));
  const owner = await makePerson(test);
  await makeMember(db, community, owner, { role: 'owner' });
  const ids: string[] = [];
  for (const hours of [90, 60, 50, 30, 20, 1, 0.5])
    ids.push(await makeActivity(db, community, author, { title: `${hours} hours`, createdAt: hoursAgo(hours) }));
  const [oldest = '', lively = '', discussed = '', quiet = ''] = ids;
  for (const person of people) {
    await react(community, lively, person, { kind: 'like' });
    await react(community, lively, person, { kind: 'reply', body: 'Yes' });
    await react(community, discussed, person, { kind: 'reply', body: 'And so' });
  }
  await react(community, discussed, author, { kind: 'like' });
  await react(community, quiet, people[0]!, { kind: 'like' });
  await react(community, oldest, owner, { kind: 'pin' });
  return { community, author, owner, people, ids, oldest, lively, discussed };
}

describe('explainActivityRank', () => {
  it('explains the live feed by age and people', async () => {
    const { community, lively, people } = await makeFeed();
    await react(community, lively, people[0]!, { kind: 'reply', body: 'Once more' });
    const { status, body } = await explain(community, lively);
    expect(status).toBe(200);
    const explained = RankExplanation.strict().parse(body);
    expect(explained).toMatchObject({
      ranking: 'community_feed_live',
      people: [
        { kind: 'like', people: 3, points: 3 },
        { kind: 'reply', people: 3, points: 6 },
        { kind: 'share', people: 0, points: 0 },
      ],
      points: 9,
    });
    expect(explained).not.toHaveProperty('pinned');
    // One e-fold of points weighs as much as 75 000 seconds.
    const headStart = (Date.parse(explained.standsAt!) - Date.parse(explained.createdAt)) / 1000;
    expect(headStart).toBeCloseTo(75_000 * Math.log(10), 1);
  });

  it('counts no reaction of the author, and no pin, in the live feed', async () => {
    const { community, discussed, oldest } = await makeFeed();
    expect((await explain(community, discussed)).body.people[0]).toEqual({ kind: 'like', people: 0, points: 0 });
    const { body } = await explain(community, oldest);
    expect(body.points).toBe(0);
    expect(body.standsAt).toBe(body.createdAt);
  });

  it('explains the newest posts by pin and age alone', async () => {
    const { community, oldest, lively } = await makeFeed();
    const pinned = (await explain(community, oldest, undefined, { ranking: 'recent_with_pin' })).body;
    const { createdAt } = pinned;
    expect(pinned).toEqual({ ranking: 'recent_with_pin', score: 1, pinned: true, createdAt });
    const other = (await explain(community, lively, undefined, { ranking: 'recent_with_pin' })).body;
    expect(other).toMatchObject({ score: 0, pinned: false });
    expect(other).not.toHaveProperty('people');
  });

  it.each(RANKINGS)('gives scores that order posts exactly as the feed does: %s', async (ranking) => {
    const { community, ids, owner } = await makeFeed();
    const explained = await Promise.all(
      ids.map(async (id) => ({ id, ...(await explain(community, id, owner, { ranking })).body })),
    );
    const byScore = explained.toSorted((a, b) => b.score - a.score || (a.id < b.id ? 1 : -1)).map(({ id }) => id);
    const { body } = await test.call(listActivities, owner.as, {
      params: { slug: community.slug },
      query: { ranking },
    });
    expect(byScore).toEqual(body.results.map(({ id }: { id: string }) => id));
    // The order is not the order of age, so that it proves something.
    expect(byScore).not.toEqual(ids.toReversed());
  });

  it.each(['community_feed_live', 'community_feed_testing'] as const)(
    'gives parts that add up to the score: %s',
    async (ranking) => {
      const { community, ids } = await makeFeed();
      for (const id of ids) {
        const { body } = await explain(community, id, undefined, { ranking });
        const parts = body.people.reduce((sum: number, { points }: { points: number }) => sum + points, 0);
        expect(body.points).toBe(parts);
        const hours = (Date.now() - Date.parse(body.createdAt)) / 3_600_000;
        const score =
          ranking === 'community_feed_live'
            ? Math.log(1 + parts) + Date.parse(body.createdAt) / 75_000_000
            : (1 + parts) ** 0.8 / (2 + hours) ** 1.5;
        expect(Math.abs(body.score / score - 1)).toBeLessThan(1e-3);
        if (ranking === 'community_feed_live') expect(Math.abs(body.score - score)).toBeLessThan(1e-6);
      }
    },
  );

  it('is the same for every viewer, whoever wrote the post', async () => {
    const { community, lively, author, owner } = await makeFeed();
    const seen = await Promise.all([undefined, author, owner].map((person) => explain(community, lively, person)));
    expect(seen[1]?.body).toEqual(seen[0]?.body);
    expect(seen[2]?.body).toEqual(seen[0]?.body);
  });

  it('takes two queries after the session', async () => {
    const { community, lively, owner } = await makeFeed();
    await explain(community, lively, owner);
    expect(await countWhile(() => explain(community, lively, owner))).toBe(2);
  });

  it('answers 401 and 403 where the posts are closed, and 404 where they are hidden', async () => {
    const closed = await makeCommunity(db, { privacy: 'closed-visible' });
    const hidden = await makeCommunity(db, { privacy: 'closed-hidden' });
    const member = await memberOf(closed);
    await makeMember(db, hidden, member);
    const stranger = await makePerson(test);
    const [inClosed, inHidden] = [await makeActivity(db, closed, member), await makeActivity(db, hidden, member)];
    const statuses = async (community: TestCommunity, id: string) =>
      await Promise.all(
        [undefined, stranger, member].map(async (person) => (await explain(community, id, person)).status),
      );
    expect(await statuses(closed, inClosed)).toEqual([401, 403, 200]);
    expect(await statuses(hidden, inHidden)).toEqual([404, 404, 200]);
    expect(await statuses(closed, inHidden)).toEqual([401, 403, 404]);
  });

  it('answers 404 for an unknown or removed post, and 400 for an unknown ranking', async () => {
    const { community, lively, author } = await makeFeed();
    expect((await explain(community, newId())).status).toBe(404);
    expect((await explain(community, lively, undefined, { ranking: 'by_friends' })).status).toBe(400);
    await test.call(deleteActivity, author.as, { params: { slug: community.slug, id: lively } });
    expect((await explain(community, lively)).status).toBe(404);
  });

  it('keeps the stored scores equal to the ones of the points', async () => {
    const { community } = await makeFeed();
    const { rows } = await sql<{ off: number }>`
      select count(*)::int as off from activities a where a.community_id = ${community.id}
        and (a.hot <> activity_hot(a.people_points, a.created_at) or a.people_points <> (
          select coalesce(sum(activity_points(kind)), 0) from activity_people p where p.activity_id = a.id))`.execute(
      db,
    );
    expect(rows[0]?.off).toBe(0);
  });
});
