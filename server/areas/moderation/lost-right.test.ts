import { deleteReaction } from '@officium/contract/community';
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

async function scene() {
  const community = await makeCommunity(db);
  const author = await memberOf(community);
  const [owner, second] = [await memberOf(community, { role: 'owner' }), await memberOf(community, { role: 'owner' })];
  const post = await makeActivity(db, community, author);
  const reply = await makeReaction(db, community, { activityId: post }, author, { body: 'Said' });
  return { community, author, owner, second, post, reply, slug: community.slug };
}
type Scene = Awaited<ReturnType<typeof scene>>;

/** What an owner asks waits for a lock; meanwhile they become a member. */
async function whileLosingTheRight({ owner }: Scene, lock: RawBuilder<unknown>, ask: () => Promise<Answer>) {
  let asked: Promise<Answer> | undefined;
  await inTransaction(db, async (trx) => {
    await lock.execute(trx);
    asked = ask();
    const waiting = sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await expect.poll(async () => (await waiting.execute(db)).rows).toHaveLength(1);
    await sql`update community_members set role = 'member' where user_id = ${owner.id}`.execute(db);
  });
  return (await asked)?.status;
}

const lockPost = (post: string) => sql`select from activities where id = ${post} for no key update`;
const isThere = async (reply: string) =>
  (await sql`select from reactions where id = ${reply} and deleted_at is null`.execute(db)).rows.length === 1;

it('deletes no reply of another person', async () => {
  const given = await scene();
  const { owner, slug, post, reply } = given;
  const ask = () => test.call(deleteReaction, owner.as, { params: { slug, id: reply } });
  expect(await whileLosingTheRight(given, lockPost(post), ask)).toBe(403);
  expect(await isThere(reply)).toBe(true);
});

it('removes no reply by a decision', async () => {
  const given = await scene();
  const { owner, slug, post, reply } = given;
  const body = { community: slug, kind: 'reaction', id: reply, decision: 'remove', reason: 'hate' };
  const ask = () => test.call(decideReports, owner.as, { body });
  expect(await whileLosingTheRight(given, lockPost(post), ask)).toBe(403);
  expect(await isThere(reply)).toBe(true);
});

it('decides no appeal', async () => {
  const given = await scene();
  const { owner, second, author, slug, reply } = given;
  const body = { community: slug, kind: 'reaction', id: reply, decision: 'remove', reason: 'hate' };
  await test.call(decideReports, second.as, { body });
  const [{ id } = { id: '' }] = (await test.call(listMyDecisions, author.as, { query: {} })).body.decisions;
  await test.call(appealDecision, author.as, { params: { id }, body: { text: 'It was meant kindly.' } });
  const lock = sql`select from moderation_decisions where id = ${id} for update`;
  const ask = () => test.call(decideAppeal, owner.as, { params: { id }, body: { outcome: 'reversed' } });
  expect(await whileLosingTheRight(given, lock, ask)).toBe(403);
  expect(await isThere(reply)).toBe(false);
});
