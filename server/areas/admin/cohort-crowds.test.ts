import { eraseUser } from '@officium/contract/people';
import { previewProductAccess } from '@officium/contract/product-access';
import { sql } from 'kysely';
import { beforeEach, expect, it } from 'vitest';
import { inTransaction } from '#server/db/client.ts';
import { foldTalliesJob } from '#server/jobs/fold-tallies.ts';
import { differences } from '#server/integrity/counters.ts';
import { createTestApp } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { makeCohort, putInCohort } from '#server/test/factories/cohorts.ts';
import { enrol, makeCourse } from '#server/test/factories/courses.ts';

const test = await createTestApp();
const { db } = test.ctx;
const admin = await makePerson(test, { role: 'administrator' });
type Made = { id: string };

let course: Awaited<ReturnType<typeof makeCourse>>;
let cohort: string;
beforeEach(async () => {
  course = await makeCourse(test);
  cohort = await makeCohort(test, { products: [course.id] });
});

const make = async (n: number): Promise<Made[]> => {
  const people: Made[] = [];
  for (let nth = 0; nth < n; nth += 1) people.push(await makePerson(test, { role: 'non-public-servant' }));
  return people;
};
const join = async (...people: Made[]) => {
  for (const person of people) await putInCohort(test, cohort, person);
};
const leave = async (person: Made) => {
  await sql`delete from cohort_members where cohort_id = ${cohort} and user_id = ${person.id}`.execute(db);
};
const fold = async () => await foldTalliesJob.run(test.ctx, {});
/** Number of insiders in the preview, without the administrator. */
const insiders = async () => {
  const asked = { params: { id: course.id }, query: { can_view: 'private', can_join: 'private' } };
  return (await test.call(previewProductAccess, admin.as, asked)).body.view.after - 1;
};
/** The same count from members and from bitmaps: before and after pending changes are folded. */
const expectInsiders = async (n: number) => {
  expect(await insiders()).toBe(n);
  await fold();
  expect(await insiders()).toBe(n);
  expect(await differences(db)).toEqual([]);
};
const chunks = async () => {
  const { rows } = await sql<{ chunk: number; n: number }>`
    select chunk, bit_count(people)::int as n from cohort_crowds where cohort_id = ${cohort} order by chunk`.execute(
    db,
  );
  return rows.map(({ chunk, n }) => [chunk, n]);
};

it('counts the members before and after the bitmaps are built', async () => {
  const [first, second, third, fourth] = (await make(4)) as [Made, Made, Made, Made];
  await expectInsiders(0);
  await join(first, second, third);
  expect(await chunks()).toEqual([]);
  await expectInsiders(3);
  expect(await chunks()).toEqual([[0, 3]]);
  await leave(first);
  await join(fourth);
  await expectInsiders(3);
  for (const person of [second, third, fourth]) await leave(person);
  await expectInsiders(0);
  expect(await chunks()).toEqual([]);
});

it('reads the bitmaps without pending changes, and the members with pending changes', async () => {
  const [first, second] = (await make(2)) as [Made, Made];
  await join(first);
  await fold();
  await sql`update cohort_crowds set people = 0::bit(4096) where cohort_id = ${cohort}`.execute(db);
  expect(await insiders()).toBe(0);
  expect(await differences(db)).toEqual(['cohort_crowds: 2']);
  await join(second);
  await expectInsiders(2);
});

it('counts a user in several cohorts and enrolments once, whichever of them changed', async () => {
  const people = await make(6);
  const [first, second, third] = people as [Made, Made, Made];
  const folded = cohort;
  await join(...people.slice(0, 4));
  await fold();
  cohort = await makeCohort(test, { products: [course.journey.entryId] });
  await join(...people.slice(2, 5));
  await enrol(test, first, course.journey);
  await enrol(test, people[5]!, course.journey);
  await expectInsiders(6);
  cohort = folded;
  await leave(second);
  await leave(third);
  await expectInsiders(5);
});

it('leaves out inactive and erased accounts', async () => {
  const [first, second, third] = (await make(3)) as [Made, Made, Made];
  await join(first, second, third);
  await expectInsiders(3);
  await sql`update users set role = 'inactive' where id = ${first.id}`.execute(db);
  expect(await insiders()).toBe(2);
  expect((await test.call(eraseUser, admin.as, { params: { id: second.id } })).status).toBe(200);
  await expectInsiders(1);
  await sql`delete from users where id = ${third.id}`.execute(db);
  await expectInsiders(0);
});

it('separates people on both sides of a chunk boundary', async () => {
  await sql`alter sequence users_number_seq restart with 8191`.execute(db);
  const people = await make(3);
  await join(...people);
  await expectInsiders(3);
  expect(await chunks()).toEqual([
    [1, 1],
    [2, 2],
  ]);
  await leave(people[1]!);
  await expectInsiders(2);
});

it('follows changed members and deleted cohorts', async () => {
  const [first, second] = (await make(2)) as [Made, Made];
  await join(first);
  await fold();
  await sql`update cohort_members set user_id = ${second.id} where cohort_id = ${cohort}`.execute(db);
  await sql`update users set role = 'inactive' where id = ${first.id}`.execute(db);
  await expectInsiders(1);
  await leave(second);
  await sql`delete from cohorts where id = ${cohort}`.execute(db);
  await expectInsiders(0);
});

it('misses no member who joins or leaves while bitmaps are built', async () => {
  const [first, second, third, fourth] = (await make(4)) as [Made, Made, Made, Made];
  await join(first, second);
  await fold();
  const other = await makeCohort(test);
  await join(third);
  await putInCohort(test, other, third);
  let folding: Promise<unknown> = Promise.resolve();
  await inTransaction(db, async (trx) => {
    // The job has taken the pending changes and waits for this cohort before reading members.
    await sql`select from cohorts where id = ${other} for update`.execute(trx);
    folding = fold();
    const waiting = sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await expect.poll(async () => (await waiting.execute(db)).rows).toHaveLength(1);
    await join(fourth);
    await leave(first);
  });
  await folding;
  await expectInsiders(3);
});

it('keeps the writes of a transaction that spans the building of bitmaps', async () => {
  const [first, second] = (await make(2)) as [Made, Made];
  await join(first);
  await inTransaction(db, async (trx) => {
    await sql`insert into cohort_members (cohort_id, user_id) values (${cohort}, ${second.id})`.execute(trx);
    await fold();
    expect(await insiders()).toBe(1);
  });
  await expectInsiders(2);
});

it('always agrees with the members during concurrent changes', async () => {
  const people = await make(16);
  let isOver = false;
  const writing = Promise.all(
    people.map(async (person, nth) => {
      for (let time = 0; time < 6; time += 1) {
        await join(person);
        if (time < 5 || nth % 2 === 0) await leave(person);
      }
    }),
  ).finally(() => (isOver = true));
  const seen: string[] = [];
  const folding = (async () => {
    while (!isOver) await fold();
  })();
  while (!isOver) seen.push(...(await differences(db)));
  await Promise.all([writing, folding]);
  expect(seen).toEqual([]);
  await expectInsiders(8);
});
