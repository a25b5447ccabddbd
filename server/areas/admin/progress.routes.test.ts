import { listCohortProducts, setCohortProducts } from '@officium/contract/admin';
import {
  attachCohortProduct,
  detachCohortProduct,
  listCohortProgress,
  listCohortTypes,
  listDueDates,
  readCohortProgress,
  removeCohortMember,
} from '@officium/contract/cohorts';
import { enrolMyself, readMyLearning } from '@officium/contract/learner';
import { newId } from '#server/db/client.ts';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { createTestApp } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { makeCohort, putInCohort } from '#server/test/factories/cohorts.ts';
import { enrol, makeCourse, setEntryStatus } from '#server/test/factories/courses.ts';

const test = await createTestApp();
const { db } = test.ctx;
const admin = await makePerson(test, { role: 'administrator' });

const attach = async (cohort: string, entryId: string, body: object = {}) =>
  (await test.call(attachCohortProduct, admin.as, { params: { id: cohort, entryId }, body })).status;
const attached = async (cohort: string) =>
  (await test.call(listCohortProducts, admin.as, { params: { id: cohort } })).body.products.map(
    (one: { id: string }) => one.id,
  );

it('lists members who have not started, started, finished and are late', async () => {
  const course = await makeCourse(test);
  const cohort = await makeCohort(test, { products: [course.journey.entryId] });
  const people = await Promise.all([1, 2, 3].map(async () => await makePerson(test)));
  const [idle, started, finished] = people;
  if (!idle || !started || !finished) throw new Error('three were made');
  for (const person of people) await putInCohort(test, cohort, person);
  for (const person of [started, finished]) await enrol(test, person, course.journey);
  const [lesson] = course.journey.lessons;
  await sql`insert into lesson_completions (id, user_id, lesson_key) values (${newId()}, ${started.id}, ${lesson?.key ?? ''})`.execute(
    db,
  );
  await sql`update journey_enrolments set completed_at = now() where user_id = ${finished.id}`.execute(db);

  const read = async () => (await test.call(readCohortProgress, admin.as, { params: { id: cohort } })).body;
  expect(await read()).toMatchObject({
    members: 3,
    journeys: [{ id: course.journey.key, dueOn: null, notStarted: 1, started: 1, finished: 1, late: 0 }],
  });
  const list = async (query: Record<string, string> = {}) =>
    (await test.call(listCohortProgress, admin.as, { params: { id: cohort, journeyId: course.journey.key }, query }))
      .body;
  const ids = async (state: string) => (await list({ state })).people.map((one: { id: string }) => one.id);
  expect([await ids('not-started'), await ids('started'), await ids('finished'), await ids('late')]).toEqual([
    [idle.id],
    [started.id],
    [finished.id],
    [],
  ]);

  expect(await attach(cohort, course.journey.entryId, { dueOn: '2020-01-31' })).toBe(204);
  expect((await read()).journeys).toMatchObject([{ dueOn: '2020-01-31', late: 2 }]);
  expect(new Set(await ids('late'))).toEqual(new Set([idle.id, started.id]));
  const first = await list({ limit: '2' });
  const rest = await list({ limit: '2', after: first.people[1].id });
  expect([first.hasMore, rest.hasMore, rest.people.length]).toEqual([true, false, 1]);
  const { journeys } = (await test.call(readMyLearning, started.as)).body;
  expect(journeys).toMatchObject([{ dueOn: '2020-01-31' }]);
  const elsewhere = { params: { id: cohort, journeyId: (await makeCourse(test)).journey.key } };
  expect((await test.call(listCohortProgress, admin.as, elsewhere)).status).toBe(404);
});

it('tells the organisation of each member, and filters by it', async () => {
  const course = await makeCourse(test);
  const cohort = await makeCohort(test, { products: [course.journey.entryId] });
  const people = [await makePerson(test), await makePerson(test), await makePerson(test)];
  const organizations = ['Ministry of Finance', 'ministry of finance', ''];
  for (const [nth, person] of people.entries()) {
    await putInCohort(test, cohort, person);
    await sql`update users set organization = ${organizations[nth]} where id = ${person.id}`.execute(db);
  }
  const list = async (query: Record<string, string> = {}) =>
    (await test.call(listCohortProgress, admin.as, { params: { id: cohort, journeyId: course.journey.key }, query }))
      .body.people;
  const told = (await list()).map(({ id, organization }: { id: string; organization: string }) => [id, organization]);
  expect(new Map(told)).toEqual(new Map(people.map(({ id }, nth) => [id, organizations[nth] || null])));
  const found = await list({ organization: ' Ministry of FINANCE ' });
  expect(new Set(found.map(({ id }: { id: string }) => id))).toEqual(new Set(people.slice(0, 2).map(({ id }) => id)));
  expect(await list({ organization: 'Ministry', state: 'not-started' })).toEqual([]);
});

it('counts the journeys of an attached course', async () => {
  const course = await makeCourse(test, { journeys: [{}, {}] });
  const cohort = await makeCohort(test, { products: [course.id, course.journey.entryId] });
  const { body } = await test.call(readCohortProgress, admin.as, { params: { id: cohort } });
  expect(body.journeys.map((one: { id: string }) => one.id)).toEqual(course.journeys.map(({ key }) => key));
});

it('leaves out withdrawn journeys', async () => {
  const course = await makeCourse(test, { journeys: [{}, {}] });
  const cohort = await makeCohort(test, { products: [course.id] });
  const [kept, gone] = course.journeys;
  await setEntryStatus(test, gone!.entryId, 'withdrawn');
  const { body } = await test.call(readCohortProgress, admin.as, { params: { id: cohort } });
  expect(body.journeys.map((one: { id: string }) => one.id)).toEqual([kept!.key]);
  const withdrawn = { params: { id: cohort, journeyId: gone!.key } };
  expect((await test.call(listCohortProgress, admin.as, withdrawn)).status).toBe(404);
});

it('attaches and detaches one product under concurrent changes and keeps its due date', async () => {
  const [one, two, three] = await Promise.all([makeCourse(test), makeCourse(test), makeCourse(test)]);
  if (!one || !two || !three) throw new Error('three were made');
  const cohort = await makeCohort(test, { products: [one.id] });
  expect(await Promise.all([attach(cohort, two.id, { dueOn: '2030-06-30' }), attach(cohort, three.id)])).toEqual([
    204, 204,
  ]);
  expect(new Set(await attached(cohort))).toEqual(new Set([one.id, two.id, three.id]));
  expect(await attach(cohort, two.id)).toBe(204);
  await test.call(setCohortProducts, admin.as, { params: { id: cohort }, body: { entryIds: [two.id, one.id] } });
  const days = async () => (await test.call(listDueDates, admin.as, { params: { id: cohort } })).body.dueDates;
  expect(await days()).toEqual([{ entryId: two.id, dueOn: '2030-06-30' }]);
  expect(await attach(cohort, two.id, { dueOn: null })).toBe(204);
  expect(await days()).toEqual([]);
  expect(await attach(cohort, two.id, { dueOn: '31.6.' })).toBe(400);
  expect(await attach(cohort, 'no-such-entry')).toBe(404);
  const detach = async () =>
    (await test.call(detachCohortProduct, admin.as, { params: { id: cohort, entryId: one.id } })).status;
  expect([await detach(), await detach(), await attached(cohort)]).toEqual([204, 404, [two.id]]);
});

it('removing a member ends enrolments that only this cohort granted', async () => {
  const hidden = {
    type: 'Private',
    scopes: { canView: 'private', canJoin: 'private' },
    journeys: [{ privacy: 'closed-private' }],
  } as const;
  const [lost, kept, open] = [
    await makeCourse(test, { ...hidden, journeys: [{ privacy: 'closed-private' }] }),
    await makeCourse(test, { ...hidden, journeys: [{ privacy: 'closed-private' }] }),
    await makeCourse(test),
  ];
  const entries = [lost, kept, open].map(({ journey }) => journey.entryId);
  const cohort = await makeCohort(test, { products: entries });
  const other = await makeCohort(test, { products: [kept.journey.entryId] });
  const person = await makePerson(test);
  for (const id of [cohort, other]) await putInCohort(test, id, person);
  for (const { slug, journey } of [lost, kept, open]) {
    const taken = await test.call(enrolMyself, person.as, {
      body: { courseSlug: slug, journeySlug: journey.slug, locale: 'en' },
    });
    expect(taken.status).toBeLessThan(300);
  }
  const params = { id: cohort, userId: person.id };
  expect((await test.call(removeCohortMember, admin.as, { params })).status).toBe(204);
  expect((await test.call(removeCohortMember, admin.as, { params })).status).toBe(404);
  const { journeys } = (await test.call(readMyLearning, person.as)).body;
  const states = journeys.map((one: { course: { slug: string }; status: string }) => [one.course.slug, one.status]);
  expect(Object.fromEntries(states)).toEqual({
    [lost.slug]: 'expired',
    [kept.slug]: 'enrolled',
    [open.slug]: 'enrolled',
  });
});

it('lists the cohort types', async () => {
  const { body } = await test.call(listCohortTypes, admin.as);
  expect(body.types).toEqual(['OFFICIUM_STAFF', 'EXTERNAL_STAFF', 'INTERNAL_TEST', 'LEARNERS', 'OTHER']);
});
