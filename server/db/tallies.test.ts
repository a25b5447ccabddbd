import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { differences } from '#server/integrity/counters.ts';
import { createTestApp } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { makeCohort, putInCohort } from '#server/test/factories/cohorts.ts';
import { makeCommunity } from '#server/test/factories/communities.ts';
import { countPeople } from '../access/people-tally.ts';
import { foldTalliesJob } from '../jobs/fold-tallies.ts';
import { inTransaction, newId } from './client.ts';
import { tallyOf } from './tallies.ts';

const test = await createTestApp();
const { db } = test.ctx;

const wrong = async () => (await differences(db)).filter((line) => line.startsWith('tallies'));
const fold = async () => await foldTalliesJob.run(test.ctx, {});
const read = async (tally: ReturnType<typeof tallyOf>) =>
  (await sql<{ n: number }>`select ${tally} as n`.execute(db)).rows[0]?.n;
const run = async (statement: ReturnType<typeof sql>) => await statement.execute(db);

it('follow accounts as they are created, change and are erased', async () => {
  const before = (await read(countPeople({}))) ?? 0;
  const people = [];
  for (let n = 0; n < 6; n += 1) people.push(await makePerson(test, { visibility: n % 2 ? 'public' : 'default' }));
  expect(await read(countPeople({}))).toBe(before + 6);
  expect(await wrong()).toEqual([]);
  const [first, second, third, fourth] = people.map(({ id }) => id);
  await run(sql`update users set role = 'administrator' where id = ${first}`);
  await run(sql`update users set role = 'non-public-servant', registration_status = 'pending' where id = ${second}`);
  expect(await read(countPeople({ state: 'waiting' }))).toBe(1);
  await run(sql`update users set registration_status = 'refused' where id = ${second}`);
  expect(await read(countPeople({ state: 'waiting' }))).toBe(0);
  await run(sql`update users set role = 'inactive', visibility = 'private' where id = ${third}`);
  await run(sql`update users set email_proven_at = null where id = ${fourth}`);
  expect(await wrong()).toEqual([]);
  await run(sql`update users set erased_at = now(), email = null where id = ${third}`);
  expect(await read(countPeople({}))).toBe(before + 5);
  await run(sql`update users set name = 'Somebody' where id = ${fourth}`);
  await run(sql`delete from users where id = ${third}`);
  expect(await wrong()).toEqual([]);
});

it('follow members, invitations, enrolments and mails, also when they are deleted by a cascade', async () => {
  const [cohortId, otherId] = [await makeCohort(test), await makeCohort(test)];
  const [person, other] = [await makePerson(test), await makePerson(test)];
  expect(await read(tallyOf('cohorts', sql`''`))).toBe(2);
  await putInCohort(test, cohortId, person);
  await putInCohort(test, cohortId, other);
  await run(sql`update cohort_members set cohort_id = ${otherId} where user_id = ${other.id}`);
  expect(await read(tallyOf('cohort_members', sql`${cohortId}`))).toBe(1);
  await run(sql`
    insert into cohort_invitations (id, cohort_id, email)
    select gen_random_uuid(), ${otherId}, 'guest-' || n || '@example.org' from generate_series(1, 5) n`);
  const community = await makeCommunity(db);
  await run(sql`insert into community_members (community_id, user_id) values (${community.id}, ${person.id})`);
  await run(sql`update community_members set role = 'owner' where user_id = ${person.id}`);
  await run(sql`
    insert into bulk_enrolments (id, email, type, slug) values (${newId()}, 'a@example.org', 'courses', 'a-course')`);
  await run(sql`update bulk_enrolments set status = 'enrolled'`);
  await run(sql`
    insert into mails (id, user_id, recipient, kind, locale, subject, body_text, body_html)
    select gen_random_uuid(), ${person.id}, 'a@example.org', 'notification', 'en', 'A', 'A', 'A' from generate_series(1, 3)`);
  await run(sql`update mails set status = 'sent' where id = (select min(id::text)::uuid from mails)`);
  expect(await wrong()).toEqual([]);
  await run(sql`delete from cohorts where id = ${otherId}`);
  await run(sql`delete from mails where status = 'queued'`);
  expect(await read(tallyOf('cohort_invitations', sql`${otherId}`))).toBe(0);
  expect(await read(tallyOf('cohorts', sql`''`))).toBe(1);
  expect(await wrong()).toEqual([]);
});

it('are equal before and after folding, also during concurrent writes and folds', async () => {
  const cohortId = await makeCohort(test);
  const people = [];
  for (let n = 0; n < 12; n += 1) people.push(await makePerson(test));
  const write = people.map(
    async (person, nth) =>
      await inTransaction(db, async (trx) => {
        await sql`insert into cohort_members (cohort_id, user_id) values (${cohortId}, ${person.id})`.execute(trx);
        if (nth % 3 === 0) await sql`delete from cohort_members where user_id = ${person.id}`.execute(trx);
      }),
  );
  await Promise.all([...write, fold(), fold(), fold()]);
  expect(await read(tallyOf('cohort_members', sql`${cohortId}`))).toBe(8);
  await fold();
  const { rows } = await sql`select * from tally_changes`.execute(db);
  expect(rows).toEqual([]);
  expect(await read(tallyOf('cohort_members', sql`${cohortId}`))).toBe(8);
  expect(await wrong()).toEqual([]);
});

it('contain nothing of a rolled back transaction', async () => {
  const cohortId = await makeCohort(test);
  await inTransaction(db, async (trx) => {
    await sql`insert into cohort_invitations (id, cohort_id, email) values (${newId()}, ${cohortId}, 'a@example.org')`.execute(
      trx,
    );
    throw new Error('taken back');
  }).catch(() => {});
  expect(await read(tallyOf('cohort_invitations', sql`${cohortId}`))).toBe(0);
});
