import { deleteReaction } from '@officium/contract/community';
import { updateCommunitySettings } from '@officium/contract/community-settings';
import { appealDecision, decideAppeal, listMyDecisions } from '@officium/contract/decisions';
import { decideReports } from '@officium/contract/moderation';
import { type RawBuilder, sql } from 'kysely';
import { expect, it } from 'vitest';
import { inTransaction } from '#server/db/client.ts';
import { type Answer, createTestApp } from '#server/test/app.ts';
import { makeActivity, makeCommunity, makeReaction } from '#server/test/factories/communities.ts';
import { membersIn } from '#server/test/factories/members.ts';

const test = await createTestApp();
const { db } = test.ctx;
const memberOf = membersIn(test);

async function setUp() {
  const community = await makeCommunity(db);
  const author = await memberOf(community);
  const [owner, second] = [await memberOf(community, { role: 'owner' }), await memberOf(community, { role: 'owner' })];
  const post = await makeActivity(db, community, author);
  const reply = await makeReaction(db, community, { activityId: post }, author, { body: 'Said' });
  return { community, author, owner, second, post, reply, slug: community.slug };
}
type Fixture = Awaited<ReturnType<typeof setUp>>;

const demotion = (owner: { id: string }) =>
  sql`update community_members set role = 'member' where user_id = ${owner.id}`;

/** Runs an owner's request that waits for a lock, while `change` takes the owner's right or the thing away. */
async function whileLosingTheRight(
  { owner }: Fixture,
  lock: RawBuilder<unknown>,
  request: () => Promise<Answer>,
  change = demotion(owner),
) {
  let pending: Promise<Answer> | undefined;
  await inTransaction(db, async (trx) => {
    await lock.execute(trx);
    pending = request();
    const waiting = sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await expect.poll(async () => (await waiting.execute(db)).rows).toHaveLength(1);
    await change.execute(db);
  });
  return (await pending)?.status;
}

const lockPost = (post: string) => sql`select from activities where id = ${post} for no key update`;
const isThere = async (reply: string) =>
  (await sql`select from reactions where id = ${reply} and deleted_at is null`.execute(db)).rows.length === 1;

it('a demoted owner deletes no reply of another person', async () => {
  const fixture = await setUp();
  const { owner, slug, post, reply } = fixture;
  const request = () => test.call(deleteReaction, owner.as, { params: { slug, id: reply } });
  expect(await whileLosingTheRight(fixture, lockPost(post), request)).toBe(403);
  expect(await isThere(reply)).toBe(true);
});

it('a demoted owner removes no reply by a decision', async () => {
  const fixture = await setUp();
  const { owner, slug, post, reply } = fixture;
  const body = { community: slug, kind: 'reaction', id: reply, decision: 'remove', reason: 'hate' };
  const request = () => test.call(decideReports, owner.as, { body });
  expect(await whileLosingTheRight(fixture, lockPost(post), request)).toBe(403);
  expect(await isThere(reply)).toBe(true);
});

it('a demoted owner decides no appeal', async () => {
  const fixture = await setUp();
  const { owner, second, author, slug, reply } = fixture;
  const body = { community: slug, kind: 'reaction', id: reply, decision: 'remove', reason: 'hate' };
  await test.call(decideReports, second.as, { body });
  const [{ id } = { id: '' }] = (await test.call(listMyDecisions, author.as, { query: {} })).body.decisions;
  await test.call(appealDecision, author.as, { params: { id }, body: { text: 'It was meant kindly.' } });
  const lock = sql`select from moderation_decisions where id = ${id} for update`;
  const request = () => test.call(decideAppeal, owner.as, { params: { id }, body: { outcome: 'reversed' } });
  expect(await whileLosingTheRight(fixture, lock, request)).toBe(403);
  expect(await isThere(reply)).toBe(false);
});

const IMPORT_LOCK = sql`select pg_advisory_xact_lock(hashtext('content.import'))`;
const publishing = ({ owner, slug }: Fixture) => {
  const limits = { locale: 'en', rules: [], slowModeSeconds: 0, postsPerDay: null };
  const page = { title: 'Taken over', description: '', categories: [] };
  return () => test.call(updateCommunitySettings, owner.as, { params: { slug }, body: { ...limits, page } });
};
const pageOf = async ({ community }: Fixture) => {
  const { rows } = await sql<{ title: string; status: string }>`
    select coalesce(c.title ->> 'en', '') as title, e.status
    from communities c join entries e on e.id = c.entry_id where c.id = ${community.id}`.execute(db);
  return rows[0];
};

it('a demoted owner publishes no page', async () => {
  const fixture = await setUp();
  expect(await whileLosingTheRight(fixture, IMPORT_LOCK, publishing(fixture))).toBe(403);
  expect((await pageOf(fixture))?.title).not.toBe('Taken over');
});

it('an owner brings back no community that an administrator withdraws', async () => {
  const fixture = await setUp();
  const withdrawal = sql`update entries set status = 'withdrawn' where id = ${fixture.community.entryId}`;
  expect(await whileLosingTheRight(fixture, IMPORT_LOCK, publishing(fixture), withdrawal)).toBe(404);
  expect(await pageOf(fixture)).toMatchObject({ status: 'withdrawn' });
});
