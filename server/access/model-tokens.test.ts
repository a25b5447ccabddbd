import { sql } from 'kysely';
import { beforeEach, expect, it } from 'vitest';
import { newId } from '#server/db/client.ts';
import { sweepJob } from '#server/app/sweep.ts';
import { createTestApp } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { settleTokens, takeTokens } from './model-tokens.ts';

const test = await createTestApp();
const { db } = test.ctx;
beforeEach(async () => {
  await sql`delete from ai_calls`.execute(db);
  await sql`delete from ai_tokens`.execute(db);
});

const LIMITS = { aPerson: 100_000, aDay: 2_000_000, atOnce: 2 };
async function take(userId: string, tokens: number, limits: Partial<typeof LIMITS> = {}) {
  const id = newId();
  return { id, taken: await takeTokens(db, { id, userId, tokens }, { ...LIMITS, ...limits }) };
}
async function sums() {
  const { rows } = await sql<{ day: number; people: number; calls: number }>`
    select (select coalesce(sum(tokens), 0)::int from ai_tokens) as day,
      (select coalesce(sum(tokens), 0)::int from ai_person_tokens p
        where exists (select from ai_calls c where c.user_id = p.user_id)) as people,
      (select count(*)::int from ai_calls) as calls`.execute(db);
  return rows[0]!;
}

it("stops at a user's allowance, however many questions come at once", { timeout: 60_000 }, async () => {
  const { id } = await makePerson(test);
  const asked = await Promise.all(Array.from({ length: 1_000 }, () => take(id, 1_500, { atOnce: 5_000 })));
  const counts = Map.groupBy(asked, ({ taken }) => taken);
  expect([counts.get('taken')?.length, counts.get('person')?.length]).toEqual([66, 934]); // 66 × 1 500 = 99 000
  expect(await sums()).toEqual({ day: 99_000, people: 99_000, calls: 66 });
});

it('stops at the allowance for everybody', { timeout: 60_000 }, async () => {
  const people = await Promise.all(Array.from({ length: 10 }, () => makePerson(test)));
  const asked = await Promise.all(
    Array.from({ length: 1_000 }, (_, n) => take(people[n % 10]!.id, 700, { aDay: 50_000, atOnce: 5_000 })),
  );
  const counts = Map.groupBy(asked, ({ taken }) => taken);
  expect([counts.get('taken')?.length, counts.get('everybody')?.length]).toEqual([71, 929]); // 71 × 700 = 49 700
  expect(await sums()).toEqual({ day: 49_700, people: 49_700, calls: 71 });
});

it("limits a user's concurrent calls, and expires a lost call after a minute", async () => {
  const [maya, noor] = [await makePerson(test), await makePerson(test)];
  const asked = await Promise.all(Array.from({ length: 20 }, () => take(maya.id, 100)));
  expect(asked.filter(({ taken }) => taken === 'taken')).toHaveLength(2);
  expect(asked.filter(({ taken }) => taken === 'busy')).toHaveLength(18);
  expect((await take(noor.id, 100)).taken).toBe('taken');
  await sql`update ai_calls set begun_at = now() - interval '61 seconds' where user_id = ${maya.id}`.execute(db);
  expect((await take(maya.id, 100)).taken).toBe('taken');
});

it('corrects the tokens of a call once, and counts usage beyond the reservation', async () => {
  const { id } = await makePerson(test);
  const [small, large] = [await take(id, 1_000), await take(id, 1_000)];
  await Promise.all(Array.from({ length: 5 }, () => settleTokens(db, small.id, 200)));
  await settleTokens(db, large.id, 1_300);
  await settleTokens(db, newId(), 5_000);
  const { rows } = await sql`select tokens from ai_person_tokens where user_id = ${id}`.execute(db);
  expect([rows, await sums()]).toEqual([[{ tokens: 1_500 }], { day: 1_500, people: 0, calls: 0 }]);
});

it('resets each day, and deletes old rows', async () => {
  const { id } = await makePerson(test);
  await take(id, 100_000);
  expect((await take(id, 1)).taken).toBe('person');
  await sql`update ai_person_tokens set day = day - 1 where user_id = ${id}`.execute(db);
  expect((await take(id, 1)).taken).toBe('taken');
  await sql`update ai_person_tokens set day = day - 100 where user_id = ${id} and tokens > 1`.execute(db);
  await sql`update ai_calls set begun_at = now() - interval '2 hours'`.execute(db);
  await sweepJob.run(test.ctx, {});
  const { rows } = await sql`select tokens from ai_person_tokens where user_id = ${id}`.execute(db);
  expect([rows, (await sums()).calls]).toEqual([[{ tokens: 1 }], 0]);
});
