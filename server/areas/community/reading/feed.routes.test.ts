import * as contract from '@officium/contract/community';
import { createCommunityPoll, castVote } from '@officium/contract/polls';
import { addressOf } from '@officium/contract/client';
import { sql } from 'kysely';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createTestApp, itInProcess } from '#server/test/app.ts';
import { makePerson, type TestPerson } from '#server/test/factories/accounts.ts';
import { makeActivity, makeCommunity, makeReaction, type TestCommunity } from '#server/test/factories/communities.ts';
import { membersIn } from '#server/test/factories/members.ts';
import { openOtherNode } from '#server/test/other-node.ts';

const test = await createTestApp();
const { db } = test.ctx;
const otherApp = await openOtherNode(test);
afterEach(() => vi.restoreAllMocks());

const memberOf = membersIn(test);
type Post = { id: string } & Record<string, unknown>;

const feed = async (community: TestCommunity, person?: TestPerson, query: Record<string, unknown> = {}) =>
  (await test.call(contract.listActivities, person?.as, { params: { slug: community.slug }, query })).body;
/** The same request to another node. */
async function feedOnOtherNode(community: TestCommunity, person?: TestPerson) {
  const url = addressOf(contract.listActivities, { params: { slug: community.slug } });
  const headers = person ? { cookie: `session=${person.as.token}` } : {};
  return (await otherApp.inject({ url, headers })).json();
}
const first = async (community: TestCommunity, person?: TestPerson) => (await feed(community, person)).results[0];
const like = (community: TestCommunity, id: string, person: TestPerson) =>
  test.call(contract.createActivityReaction, person.as, {
    params: { slug: community.slug, id },
    body: { kind: 'like' },
  });

async function makeFeed(given: Parameters<typeof makeCommunity>[1] = {}) {
  const community = await makeCommunity(db, given);
  const [maya, omar] = [await memberOf(community), await memberOf(community)];
  const id = await makeActivity(db, community, omar, { title: 'Said' });
  return { community, maya, omar, id };
}

/** `skeleton` for each ranked page that is read during `work`, and `rows` for each read of rows. */
async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const statements = vi.spyOn(test.ctx.db, 'executeQuery').mockClear();
  await work();
  return statements.mock.calls.flatMap(([query]) => {
    if (!('sql' in query)) return [];
    if (query.sql.includes('page as materialized')) return ['skeleton'];
    return query.sql.includes('activities a where a.id = any') ? ['rows'] : [];
  });
}

const advanceClock = (ms: number) => {
  const now = performance.now();
  vi.spyOn(performance, 'now').mockImplementation(() => now + ms);
};

describe('the first page of a feed', () => {
  itInProcess('reads rows again only when they changed', async () => {
    const { community, maya, omar } = await makeFeed();
    await feed(community, maya);
    expect(await statementsOf(() => feed(community, omar))).toEqual(['skeleton']);
    await makeActivity(db, community, omar, { title: 'Since then' });
    expect(await statementsOf(() => feed(community, maya))).toEqual(['skeleton', 'rows']);
    expect(await statementsOf(() => feed(community, omar))).toEqual(['skeleton']);
  });

  itInProcess('shares one statement among concurrent viewers', async () => {
    const { community, maya, omar } = await makeFeed();
    const viewers = [maya, omar, await memberOf(community), await memberOf(community)];
    await Promise.all(viewers.map((viewer) => feed(community, viewer)));
    const statements = await statementsOf(() => Promise.all(viewers.map((viewer) => feed(community, viewer))));
    expect(statements.length).toBeLessThan(viewers.length);
  });

  itInProcess('runs the same statements for a hidden community as for a missing one, whatever is cached', async () => {
    const { community, maya, omar } = await makeFeed({ privacy: 'closed-hidden' });
    const nowhere = { ...community, slug: 'no-such-community' };
    const stranger = await makePerson(test);
    const statementsFor = async (viewer?: TestPerson) => [
      await statementsOf(() => feed(community, viewer)),
      await statementsOf(() => feed(nowhere, viewer)),
    ];
    const same = [['skeleton'], ['skeleton']];
    expect([await statementsFor(), await statementsFor(stranger)]).toEqual([same, same]);
    await feed(community, maya); // cached for members now
    expect([await statementsFor(), await statementsFor(stranger)]).toEqual([same, same]);
    await makeActivity(db, community, omar, { title: 'Since then' }); // and outdated
    expect([await statementsFor(), await statementsFor(stranger)]).toEqual([same, same]);
  });

  it('equals an uncached page, for every kind of viewer', async () => {
    const { community, maya, omar } = await makeFeed();
    const closed = await memberOf(community, { who: { visibility: 'private' } });
    const gone = await memberOf(community);
    const administrator = await makePerson(test, { role: 'administrator' });
    const unproven = await makePerson(test, { isProven: false });
    for (const author of [closed, gone, maya])
      await makeActivity(db, community, author, { title: 'By another', body: `Hello @[Omar](${omar.id})` });
    const { body: poll } = await test.call(createCommunityPoll, omar.as, {
      params: { slug: community.slug },
      body: {
        title: 'Which?',
        options: [
          { position: 1, body: 'One' },
          { position: 2, body: 'Two' },
        ],
      },
    });
    await test.call(castVote, maya.as, { params: { id: poll.optionIds[0] }, body: {} });
    const posts: Post[] = (await feed(community, maya)).results;
    for (const [n, { id }] of posts.entries()) if (n % 2 === 0) await like(community, id, maya);
    await makeReaction(db, community, { activityId: posts[0]!.id }, omar, { kind: 'pin' });
    await makeReaction(db, community, { activityId: posts[0]!.id }, omar, { kind: 'like' });
    const [low, high] = [closed.id, omar.id].toSorted();
    await sql`insert into connections (id, low_id, high_id, asker_id, status) values (new_id(), ${low}, ${high}, ${low}, 'accepted')`.execute(
      db,
    );
    await sql`update users set erased_at = now() where id = ${gone.id}`.execute(db);
    for (const viewer of [maya, omar, closed, administrator, unproven, undefined])
      for (const ranking of contract.RANKINGS)
        for (const locale of ['en', 'fr', 'ar']) {
          const whole = await feed(community, viewer, { ranking, locale, limit: 31 }); // other lengths are not cached
          expect(await feed(community, viewer, { ranking, locale })).toEqual(whole);
          expect(await feed(community, viewer, { ranking, locale })).toEqual(whole); // cached by now
        }
    const [seen] = posts.filter(({ actor }) => (actor as { id: string }).id === closed.id);
    const organizationOf = async (viewer: TestPerson) =>
      (await feed(community, viewer)).results.find(({ id }: Post) => id === seen?.id).actor.organization;
    await sql`update users set organization = 'A ministry' where id = ${closed.id}`.execute(db);
    expect(await Promise.all([maya, omar, closed].map(organizationOf))).toEqual([null, 'A ministry', 'A ministry']);
  });

  it('shows new content on every node at once', async () => {
    const { community, maya, omar, id } = await makeFeed();
    const params = { slug: community.slug, id };
    await Promise.all([maya, omar].flatMap((person) => [feed(community, person), feedOnOtherNode(community, person)]));
    const steps: [() => Promise<unknown>, (post: any, isMaya: boolean, results: Post[]) => unknown][] = [
      [
        () => like(community, id, maya),
        (post, isMaya) => post.reaction_counts.like === 1 && 'like' in post.own_reactions === isMaya,
      ],
      [
        () => test.call(contract.createActivityReaction, maya.as, { params, body: { kind: 'reply', body: 'So?' } }),
        (post) => post.reaction_counts.reply === 1,
      ],
      [
        () => test.call(contract.updateActivity, omar.as, { params, body: { title: 'Changed', body: 'Anew' } }),
        (post) => post.title === 'Changed',
      ],
      [
        () => test.call(contract.createActivity, omar.as, { params, body: { title: 'Another', body: 'Said' } }),
        (_post, _isMaya, results) => results.some(({ title }) => title === 'Another'),
      ],
    ]; // any: each step reads its own answer
    for (const [write, isSeen] of steps) {
      await write();
      for (const person of [maya, omar])
        for (const ask of [feed, feedOnOtherNode]) {
          const { results, total } = await ask(community, person);
          expect(isSeen(results[0], person === maya, results)).toBe(true);
          expect(total).toBe(results.length);
        }
    }
    await test.call(contract.deleteActivity, omar.as, { params });
    for (const ask of [feed, feedOnOtherNode])
      expect((await ask(community, maya)).results.map((post: Post) => post.title)).toEqual(['Another']);
  });

  it('shows every change at once, whoever makes it', async () => {
    const { community, maya, omar, id } = await makeFeed();
    const changes: [ReturnType<typeof sql>, (post: any) => unknown, unknown][] = [
      [
        sql`update users set name = 'Omar the Second' where id = ${omar.id}`,
        (post) => post.actor.name,
        'Omar the Second',
      ],
      [
        sql`update users set badges = '{"communities":{"a":["b"]}}' where id = ${omar.id}`,
        (post) => Object.keys(post.actor.badges),
        ['communities'],
      ],
      [sql`update users set visibility = 'private' where id = ${omar.id}`, (post) => post.actor.badges, {}],
      [
        sql`update communities set title = '{"en":"Renamed"}' where id = ${community.id}`,
        (post) => post.community.title,
        'Renamed',
      ],
      [sql`update activities set pin_count = 1 where id = ${id}`, (post) => post.pinned, true],
      [sql`update users set erased_at = now() where id = ${omar.id}`, (post) => post.actor.name, 'Deleted user'],
      [sql`update activities set deleted_at = now() where id = ${id}`, (post) => post, undefined],
      [sql`update activities set deleted_at = null where id = ${id}`, (post) => post.id, id],
      [sql`delete from activities where id = ${id}`, (post) => post, undefined],
    ]; // any: each step reads its own answer
    for (const [change, look, expected] of changes) {
      await feed(community, maya);
      await change.execute(db);
      expect(look(await first(community, maya))).toEqual(expected);
    }
  });

  it('shows transactions that were open when it was read, once they commit', async () => {
    const { community, maya, id } = await makeFeed();
    let read = async () => {};
    const committed = db.transaction().execute(async (trx) => {
      await sql`update activities set pin_count = 1 where id = ${id}`.execute(trx);
      await makePerson(test); // a transaction that began later ends before
      expect((await first(community, maya)).pinned).toBe(false);
      read = async () => expect((await first(community, maya)).pinned).toBe(true);
    });
    await committed;
    await read();
  });

  it('shows votes and the end of a poll at once', async () => {
    const { community, maya, omar } = await makeFeed();
    const { body: poll } = await test.call(createCommunityPoll, omar.as, {
      params: { slug: community.slug },
      body: {
        title: 'Which?',
        options: [
          { position: 1, body: 'One' },
          { position: 2, body: 'Two' },
        ],
        settings: { results_visibility: 'always', deadline_at: new Date(Date.now() + 60_000).toISOString() },
      },
    });
    const votes = async (person: TestPerson) =>
      (await first(community, person)).poll.options.map((option: { votes: number }) => option.votes);
    expect(await votes(omar)).toEqual([0, 0]);
    await test.call(castVote, maya.as, { params: { id: poll.optionIds[0] }, body: {} });
    expect(await votes(omar)).toEqual([1, 0]);
    await test.call(castVote, maya.as, { params: { id: poll.optionIds[1] }, body: {} });
    expect([await votes(omar), await votes(maya)]).toEqual([
      [0, 1],
      [0, 1],
    ]);
    expect((await first(community, maya)).poll.ownVotes).toMatchObject([{ optionId: poll.optionIds[1] }]);
    expect((await first(community, omar)).poll.ownVotes).toEqual([]);

    const soon = await db.transaction().execute(async (trx) => {
      await sql`update polls set deadline_at = clock_timestamp() + interval '700 milliseconds' where id = ${poll.id}`.execute(
        trx,
      );
      return trx;
    });
    expect(soon).toBeTruthy();
    expect((await first(community, omar)).poll.closed).toBe(false);
    await expect.poll(async () => (await first(community, omar)).poll.closed, { timeout: 10_000 }).toBe(true);
  });

  it('is refused to a member who loses membership, and to everybody when the community closes', async () => {
    const { community, maya } = await makeFeed({ privacy: 'closed-visible' });
    const stranger = await makePerson(test);
    const statusOf = async (person: TestPerson) =>
      (await test.call(contract.listActivities, person.as, { params: { slug: community.slug } })).status;
    expect([await statusOf(maya), await statusOf(stranger)]).toEqual([200, 403]);
    await sql`delete from community_members where user_id = ${maya.id}`.execute(db);
    expect(await statusOf(maya)).toBe(403);
    await sql`update entries set status = 'withdrawn' where id = ${community.entryId}`.execute(db);
    expect(await statusOf(maya)).toBe(404);
  });
});

describe('the first page of a feed for anonymous viewers', () => {
  itInProcess('is served from the cache', async () => {
    const { community } = await makeFeed();
    advanceClock(0);
    await feed(community);
    expect(await statementsOf(() => feed(community))).toEqual([]);
  });

  it('shows writes of this node at once, and of other nodes after a moment', async () => {
    const { community, maya, id } = await makeFeed();
    await feed(community);
    await feedOnOtherNode(community);
    await like(community, id, maya);
    expect((await first(community)).reaction_counts.like).toBe(1);
    advanceClock(11);
    expect((await feedOnOtherNode(community)).results[0].reaction_counts.like).toBe(1);
  });

  it('contains nothing about the viewer, and of authors only what the public may know', async () => {
    const { community, maya, omar, id } = await makeFeed();
    await like(community, id, maya);
    await feed(community, maya);
    await sql`update users set organization = 'A ministry' where id = ${omar.id}`.execute(db);
    advanceClock(11);
    expect(await first(community)).toMatchObject({ own_reactions: {}, actor: { id: omar.id, organization: null } });
    expect(await first(community, maya)).toMatchObject({ actor: { organization: 'A ministry' } });
  });

  it('answers 304 until it changes', async () => {
    const { community, maya, id } = await makeFeed();
    const ask = (etag?: string) =>
      test.call(
        contract.listActivities,
        {},
        {
          params: { slug: community.slug },
          headers: etag ? { 'if-none-match': etag } : {},
        },
      );
    const { headers, status } = await ask();
    expect([status, headers['cache-control']]).toEqual([200, 'private, no-cache']);
    const etag = String(headers.etag);
    // A compressing proxy turns the tag into a weak one.
    for (const held of [etag, `W/${etag}`, `"another", ${etag}`])
      expect(await ask(held)).toMatchObject({ status: 304, body: '' });
    await like(community, id, maya);
    const changed = await ask(etag);
    expect(changed.status).toBe(200);
    expect(changed.headers.etag).not.toBe(etag);
    const signedIn = await test.call(contract.listActivities, maya.as, {
      params: { slug: community.slug },
      headers: { 'if-none-match': String(changed.headers.etag) },
    });
    expect([signedIn.status, signedIn.headers['cache-control']]).toEqual([200, 'no-store']);
  });

  it('is refused a moment after the community closes or is withdrawn', async () => {
    const { community } = await makeFeed();
    const status = async () =>
      (await test.call(contract.listActivities, {}, { params: { slug: community.slug } })).status;
    expect(await status()).toBe(200);
    await sql`update communities set privacy = 'closed-visible' where id = ${community.id}`.execute(db);
    advanceClock(11);
    expect(await status()).toBe(401);
    await sql`update entries set status = 'withdrawn' where id = ${community.entryId}`.execute(db);
    expect(await status()).toBe(404);
  });
});
