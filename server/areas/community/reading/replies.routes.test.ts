import * as contract from '@officium/contract/community';
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
const FIRST = '00000000-0000-0000-0000-000000000000';
/** Sorts before every id. */
const EARLY = '00000000-0000-0000-0000-000000000001';
type Thread = { community: TestCommunity; id: string };
type Query = { id_gt?: string; limit?: number };

const ask = ({ community: { slug }, id }: Thread, person: TestPerson, query: Query = { id_gt: FIRST }) =>
  test.call(contract.listActivityReactions, person.as, { params: { slug, id }, query });
const replies = async (thread: Thread, person: TestPerson) => (await ask(thread, person)).body.results;
/** The same request to another node. */
async function repliesOnOtherNode({ community: { slug }, id }: Thread, person: TestPerson) {
  const url = addressOf(contract.listActivityReactions, { params: { slug, id }, query: { id_gt: FIRST } });
  return (await otherApp.inject({ url, headers: { cookie: `session=${person.as.token}` } })).json().results;
}
const reactTo = ({ community: { slug } }: Thread, id: string, person: TestPerson, body: object) =>
  test.call(contract.createChildReaction, person.as, { params: { slug, id }, body });

async function makeThread(given: Parameters<typeof makeCommunity>[1] = {}) {
  const community = await makeCommunity(db, given);
  const [maya, omar] = [await memberOf(community), await memberOf(community)];
  const id = await makeActivity(db, community, omar);
  const replyId = await makeReaction(db, community, { activityId: id }, omar, { body: 'So?' });
  return { community, maya, omar, id, replyId };
}

/** How often rows are read during `work`. */
async function readsIn(work: () => Promise<unknown>): Promise<number> {
  vi.restoreAllMocks();
  const spy = vi.spyOn(test.ctx.db, 'executeQuery');
  await work();
  return spy.mock.calls.filter(([query]) => 'sql' in query && query.sql.includes('reactions r where r.id = any'))
    .length;
}

describe('the first replies', () => {
  itInProcess('are read once for all viewers, with each viewer’s own part read every time', async () => {
    const thread = await makeThread();
    expect(await readsIn(() => replies(thread, thread.maya))).toBe(1);
    expect(await readsIn(() => replies(thread, thread.omar))).toBe(0);
    await reactTo(thread, thread.replyId, thread.maya, { kind: 'like' });
    expect(await readsIn(() => replies(thread, thread.omar))).toBe(1);
  });

  it('equal an uncached page, for every kind of viewer', async () => {
    const thread = await makeThread();
    const { community, maya, omar, id, replyId } = thread;
    const closed = await memberOf(community, { who: { visibility: 'private' } });
    const gone = await memberOf(community);
    const owner = await memberOf(community, { role: 'owner' });
    const administrator = await makePerson(test, { role: 'administrator' });
    const ids = [replyId];
    for (const author of [closed, gone, maya, omar, maya])
      ids.push(await makeReaction(db, community, { activityId: id }, author, { body: `*Hello* {{${gone.id}}} "` }));
    const [first, second, third, fourth, fifth, sixth] = ids as [string, string, string, string, string, string];
    await makeReaction(db, community, { reactionId: third }, omar, { body: 'Below' });
    for (const kind of ['like', 'pin'] as const)
      await makeReaction(db, community, { reactionId: first }, maya, { kind });
    // More likes than are cached with a reply.
    for (let n = 0; n < 20; n += 1)
      await makeReaction(db, community, { reactionId: second }, await makePerson(test), { kind: 'like' });
    await makeReaction(db, community, { reactionId: second }, maya, { kind: 'like' });
    const params = { slug: community.slug };
    await test.call(contract.deleteReaction, omar.as, { params: { ...params, id: fifth } });
    await test.call(contract.deleteReaction, owner.as, { params: { ...params, id: third } }); // it has replies
    await test.call(contract.updateReaction, maya.as, { params: { ...params, id: fourth }, body: { body: 'Edited' } });
    await makeReaction(db, community, { reactionId: sixth }, closed, { kind: 'like' });
    const [low, high] = [closed.id, omar.id].toSorted();
    await sql`insert into connections (id, low_id, high_id, asker_id, status) values (new_id(), ${low}, ${high}, ${low}, 'accepted')`.execute(
      db,
    );
    await sql`update users set erased_at = now() where id = ${gone.id}`.execute(db);
    for (const viewer of [maya, omar, closed, owner, administrator])
      for (const limit of [1, 3, 25]) {
        const { status, body: whole } = await ask(thread, viewer, { id_gt: EARLY, limit });
        for (let n = 0; n < 2; n += 1)
          expect(await ask(thread, viewer, { id_gt: FIRST, limit })).toMatchObject({ status, body: whole });
        // Newest first, and everything on one page.
        const newest = await ask(thread, viewer, { limit: 25 });
        if (limit === 25) expect(newest.body.results?.toReversed()).toEqual(whole.results);
      }
    const all = await replies(thread, maya);
    expect(all.map((reply: { own_reactions?: object }) => Object.keys(reply.own_reactions ?? {}))).toEqual([
      ['like', 'pin'],
      ['like'],
      [],
      [],
      [],
    ]);
    const ofClosed = async (viewer: TestPerson) => (await replies(thread, viewer))[1].actor.organization;
    await sql`update users set organization = 'A ministry' where id = ${closed.id}`.execute(db);
    expect(await Promise.all([maya, omar, closed].map(ofClosed))).toEqual([null, 'A ministry', 'A ministry']);
  });

  it('show new content on every node at once', async () => {
    const thread = await makeThread();
    const { community, maya, omar, id, replyId } = thread;
    const params = { slug: community.slug, id: replyId };
    const steps: [() => Promise<{ status: number }>, (all: any, isMaya: boolean) => unknown, unknown?][] = [
      [
        () => reactTo(thread, replyId, maya, { kind: 'like' }),
        ([reply], isMaya) => reply.children_counts.like === 1 && 'like' in reply.own_reactions === isMaya,
      ],
      [
        () => test.call(contract.updateReaction, omar.as, { params, body: { body: 'Changed' } }),
        ([reply]) => reply.body === 'Changed' && reply.editedAt,
      ],
      [
        () => reactTo(thread, replyId, maya, { kind: 'reply', body: 'Below' }),
        ([reply]) => reply.children_counts.reply === 1,
      ],
      [
        () =>
          test.call(contract.createActivityReaction, maya.as, {
            params: { ...params, id },
            body: { kind: 'reply', body: 'Another' },
          }),
        ([, reply]) => reply.body === 'Another',
      ],
      [() => test.call(contract.deleteReaction, omar.as, { params }), ([reply]) => reply.deleted === true],
    ]; // any: each step reads its own answer
    for (const [write, isSeen] of steps) {
      for (const person of [maya, omar]) for (const read of [replies, repliesOnOtherNode]) await read(thread, person);
      expect((await write()).status).toBeLessThan(300);
      for (const person of [maya, omar])
        for (const read of [replies, repliesOnOtherNode])
          expect(isSeen(await read(thread, person), person === maya)).toBeTruthy();
    }
    const { status } = await test.call(contract.deleteActivity, omar.as, { params: { ...params, id } });
    expect(status).toBe(204);
    expect((await ask(thread, maya)).status).toBe(404);
    expect(await repliesOnOtherNode(thread, maya)).toBeUndefined();
  });

  it('contain each viewer’s own part, as the post and the feed do, when many ask at once', async () => {
    const thread = await makeThread({ privacy: 'closed-visible' });
    const { community, maya, omar, id, replyId } = thread;
    const [stranger, administrator] = [await makePerson(test), await makePerson(test, { role: 'administrator' })];
    await reactTo(thread, replyId, maya, { kind: 'like' });
    await makeReaction(db, community, { activityId: id }, omar, { kind: 'like' });
    const viewers = [maya, omar, stranger, administrator];
    const params = { slug: community.slug, id };
    const questions = [
      async (viewer: TestPerson) => await ask(thread, viewer),
      async (viewer: TestPerson) => await test.call(contract.readActivity, viewer.as, { params }),
      async (viewer: TestPerson) => await test.call(contract.listActivities, viewer.as, { params }),
    ];
    const seen = ({ status, body }: { status: number; body: any }) => [
      status,
      body.results ?? body.id,
      body.own_reactions,
    ]; // any: each step reads its own answer
    for (const question of questions) {
      const alone = [];
      for (const viewer of viewers) alone.push(seen(await question(viewer)));
      expect(alone.map(([status]) => status)).toEqual([200, 200, 403, 200]);
      const together = await Promise.all([...viewers, ...viewers, ...viewers].map(question));
      expect(together.map(seen)).toEqual([...alone, ...alone, ...alone]);
    }
  });

  it('show every change at once, whoever makes it', async () => {
    const thread = await makeThread();
    const { maya, omar, id, replyId } = thread;
    const changes: [ReturnType<typeof sql>, (reply: any) => unknown, unknown][] = [
      [
        sql`update users set name = 'Omar the Second' where id = ${omar.id}`,
        ({ actor }) => actor.name,
        'Omar the Second',
      ],
      [
        sql`update users set image_thumbnail = '/x.png' where id = ${omar.id}`,
        ({ actor }) => actor.thumbnail,
        '/x.png',
      ],
      [sql`update users set visibility = 'private' where id = ${omar.id}`, ({ actor }) => actor.thumbnail, null],
      [sql`update reactions set locale = 'fr' where id = ${replyId}`, ({ locale }) => locale, 'fr'],
      [
        sql`update reactions set mentioned = ${[maya.id]} where id = ${replyId}`,
        (reply) => reply.mentioned_users[maya.id]?.name,
        maya.name,
      ],
      [sql`update users set erased_at = now() where id = ${omar.id}`, ({ actor }) => actor.name, 'Deleted user'],
      [sql`update activities set deleted_at = now() where id = ${id}`, (reply) => reply, undefined],
      [sql`update activities set deleted_at = null where id = ${id}`, (reply) => reply.id, replyId],
      [sql`delete from reactions where id = ${replyId}`, (reply) => reply, undefined],
    ]; // any: each step reads its own answer
    for (const [change, look, expected] of changes) {
      await replies(thread, maya);
      await change.execute(db);
      expect(look((await replies(thread, maya))?.[0])).toEqual(expected);
    }
  });

  it('show transactions that were open when they were read, once they commit', async () => {
    const thread = await makeThread();
    const { maya, omar, replyId } = thread;
    await db.transaction().execute(async (trx) => {
      await sql`update reactions set body = 'Later' where id = ${replyId}`.execute(trx);
      await sql`update users set name = 'Later' where id = ${omar.id}`.execute(trx);
      await makePerson(test); // a transaction that began later ends before
      expect((await replies(thread, maya))[0]).toMatchObject({ body: 'So?', actor: { name: omar.name } });
    });
    expect((await replies(thread, maya))[0]).toMatchObject({ body: 'Later', actor: { name: 'Later' } });
  });

  it('are refused to a member who loses membership, and to everybody when the community closes', async () => {
    const thread = await makeThread({ privacy: 'closed-visible' });
    const { community, maya } = thread;
    const stranger = await makePerson(test);
    const statusOf = async (person: TestPerson) => (await ask(thread, person)).status;
    expect([await statusOf(maya), await statusOf(stranger)]).toEqual([200, 403]);
    await sql`delete from community_members where user_id = ${maya.id}`.execute(db);
    expect(await statusOf(maya)).toBe(403);
    await sql`update entries set status = 'withdrawn' where id = ${community.entryId}`.execute(db);
    expect(await statusOf(maya)).toBe(404);
  });

  it('are cut at the byte limit, and continue at the cut', async () => {
    const thread = await makeThread();
    const { community, maya, id } = thread;
    // Each link becomes several times as long in HTML.
    for (let n = 0; n < 22; n += 1)
      await makeReaction(db, community, { activityId: id }, maya, { body: 'http://a.b '.repeat(5_900) });
    const seen: string[] = [];
    for (let after: string | undefined = FIRST; after;) {
      const { body } = await ask(thread, maya, { id_gt: after, limit: 100 });
      expect(JSON.stringify(body).length).toBeLessThan(5 * 1024 * 1024);
      seen.push(...body.results.map((reply: { id: string }) => reply.id));
      after = new URLSearchParams(body.next ?? '').get('id_gt') ?? undefined;
    }
    expect(new Set(seen).size).toBe(23);
    expect(seen).toHaveLength(23);
  });

  it('are not found under another community', async () => {
    const thread = await makeThread();
    const elsewhere = await makeThread();
    await replies(thread, thread.maya);
    expect((await ask({ ...elsewhere, id: thread.id }, elsewhere.maya)).status).toBe(404);
  });
});
