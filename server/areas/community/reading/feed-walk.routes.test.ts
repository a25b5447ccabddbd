import * as contract from '@officium/contract/community';
import { describe, expect, it } from 'vitest';
import { createTestApp } from '#server/test/app.ts';
import type { TestPerson } from '#server/test/factories/accounts.ts';
import { makeActivity, makeCommunity, type TestCommunity } from '#server/test/factories/communities.ts';
import { membersIn } from '#server/test/factories/members.ts';

const test = await createTestApp();
const { db } = test.ctx;
const memberOf = membersIn(test);

type Query = { cursor?: string; offset?: number; limit?: number; ranking?: contract.Ranking; category?: string };
const ask = async (community: TestCommunity, query: Query, person?: TestPerson) =>
  await test.call(contract.listActivities, person?.as, { params: { slug: community.slug }, query });

type Reply = { results: { id: string }[]; nextCursor?: string | null };
const idsOf = ({ results }: { results: { id: string }[] }) => results.map(({ id }) => id);

async function makeFeed(count: number, given: Parameters<typeof makeCommunity>[1] = {}) {
  const community = await makeCommunity(db, given);
  const author = await memberOf(community);
  const voters = [await memberOf(community), await memberOf(community)];
  const ids: string[] = [];
  for (let nth = 0; nth < count; nth++)
    ids.push(await makeActivity(db, community, author, { title: `Post ${nth}`, categories: given.categories ?? [] }));
  return { community, author, voters, ids };
}

/** The ids of all pages. `between` runs before each page but the first, with what was delivered. */
async function walk(
  community: TestCommunity,
  { between, ...query }: Query & { between?: (delivered: string[]) => Promise<unknown> } = {},
): Promise<string[]> {
  const delivered: string[] = [];
  let cursor: string | null | undefined = '';
  while (typeof cursor === 'string') {
    if (delivered.length > 0) await between?.(delivered);
    const body: Reply = (await ask(community, { limit: 4, ...query, cursor })).body;
    delivered.push(...idsOf(body));
    cursor = body.nextCursor;
  }
  return delivered;
}

describe('a walk through a feed', () => {
  it.each(contract.RANKINGS)('delivers each post once while votes and posts arrive: %s', async (ranking) => {
    const { community, author, voters, ids } = await makeFeed(15);
    const delivered = await walk(community, {
      ranking,
      between: async (seen) => {
        const unseen = ids.filter((id) => !seen.includes(id));
        for (const voter of voters)
          for (const id of [unseen.at(0), unseen.at(-1)].flatMap((one) => one ?? []))
            await test.call(contract.createActivityReaction, voter.as, {
              params: { slug: community.slug, id },
              body: { kind: 'like' },
            });
        await makeActivity(db, community, author, { title: 'Newer' });
      },
    });
    expect(delivered.toSorted()).toEqual(ids.toSorted());
  });

  it('begins with the order of the ordinary feed', async () => {
    const { community } = await makeFeed(9);
    const { body } = await ask(community, { limit: 9 });
    expect(await walk(community)).toEqual(idsOf(body));
  });

  it('leaves out posts that are removed meanwhile, and ends', async () => {
    const { community, author, ids } = await makeFeed(9);
    const delivered = await walk(community, {
      ranking: 'recent_with_pin',
      between: async () => {
        await test.call(contract.deleteActivity, author.as, { params: { slug: community.slug, id: ids[0]! } });
      },
    });
    expect(delivered).toEqual(ids.slice(1).toReversed());
  });

  it('stays in its category', async () => {
    const { community, author, ids } = await makeFeed(6, { categories: ['ideas'] });
    await makeActivity(db, community, author, { title: 'Without a category' });
    expect((await walk(community, { category: 'ideas' })).toSorted()).toEqual(ids.toSorted());
  });

  it('has no next cursor where one page is all', async () => {
    const { community } = await makeFeed(2);
    expect((await ask(community, { cursor: '' })).body).toMatchObject({ total: 2, nextOffset: null, nextCursor: null });
    expect(
      await db.selectFrom('feed_snapshots').select('id').where('community_id', '=', community.id).execute(),
    ).toEqual([]);
  });

  it('checks access to each page', async () => {
    const { community, voters } = await makeFeed(6);
    const { body } = await ask(community, { cursor: '', limit: 4 }, voters[0]);
    await db.updateTable('communities').set({ privacy: 'closed-hidden' }).where('id', '=', community.id).execute();
    const cursor = body.nextCursor!;
    expect((await ask(community, { cursor }, voters[0])).status).toBe(200);
    expect((await ask(community, { cursor })).status).toBe(404);
  });

  it('refuses cursors that are malformed, expired, of another feed, or beside an offset', async () => {
    const { community, voters } = await makeFeed(6);
    const elsewhere = await makeCommunity(db);
    const { body } = await ask(community, { cursor: '', limit: 4 });
    const cursor = body.nextCursor!;
    const refused = async (query: Query, at = community) => (await ask(at, query)).status;
    expect(await refused({ cursor: 'nonsense' })).toBe(400);
    expect(await refused({ cursor: `${cursor}\u0000` })).toBe(400);
    expect(await refused({ cursor, offset: 4 })).toBe(400);
    expect(await refused({ cursor, ranking: 'recent_with_pin' })).toBe(400);
    expect(await refused({ cursor, category: 'ideas' })).toBe(400);
    expect(await refused({ cursor }, elsewhere)).toBe(400);
    expect((await ask(community, { cursor }, voters[0])).status).toBe(200);
    await db
      .updateTable('feed_snapshots')
      .set({ taken_at: new Date(Date.now() - 3_700_000) })
      .where('community_id', '=', community.id)
      .execute();
    expect(await refused({ cursor })).toBe(400);
  });
});
