import { setCohortProducts } from '@officium/contract/admin';
import { attachCohortProduct, detachCohortProduct } from '@officium/contract/cohorts';
import { enrolMyself } from '@officium/contract/learner';
import { listNotifications } from '@officium/contract/notifications';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { createTestApp } from '#server/test/app.ts';
import { makePerson, type TestPerson } from '#server/test/factories/accounts.ts';
import { makeCohort, putInCohort } from '#server/test/factories/cohorts.ts';
import { enrol, makeCourse } from '#server/test/factories/courses.ts';

const test = await createTestApp();
const admin = await makePerson(test, { role: 'administrator' });

const told = async (person: TestPerson) =>
  (await test.call(listNotifications, person.as)).body.notifications.filter(
    ({ event }: { event: string }) => event === 'assignment',
  );
const attach = async (id: string, entryId: string, body: object = {}) => {
  await test.call(attachCohortProduct, admin.as, { params: { id, entryId }, body });
  await test.drain();
};

it('notifies members of an attached journey, with its due date, until they enrol', async () => {
  const [member, enrolled, stranger] = [await makePerson(test), await makePerson(test), await makePerson(test)];
  const course = await makeCourse(test, { type: 'Private', title: { en: 'Letters' } });
  const cohort = await makeCohort(test);
  for (const person of [member, enrolled]) await putInCohort(test, cohort, person);
  await enrol(test, enrolled, course.journey);
  await attach(cohort, course.journey.entryId, { dueOn: '2030-11-27' });
  expect(await told(member)).toMatchObject([
    { title: 'Letters', due: 'due', dueAt: '2030-11-27T23:59:59.999Z', path: '/me/learning' },
  ]);
  expect([await told(enrolled), await told(stranger)]).toEqual([[], []]);

  await attach(cohort, course.journey.entryId, { dueOn: null });
  expect(await told(member)).toMatchObject([{ title: 'Letters', due: null }]);
  const body = { courseSlug: course.slug, journeySlug: course.journey.slug, locale: 'en' };
  expect((await test.call(enrolMyself, member.as, { body })).status).toBe(201);
  expect(await told(member)).toEqual([]);
});

it('notifies once of each course, and of nothing that is detached again', async () => {
  const member = await makePerson(test);
  const [first, second] = [await makeCourse(test, { journeys: [{}, {}] }), await makeCourse(test)];
  const cohort = await makeCohort(test);
  await putInCohort(test, cohort, member);
  const set = async (entryIds: string[]) => {
    await test.call(setCohortProducts, admin.as, { params: { id: cohort }, body: { entryIds } });
    await test.drain();
  };
  await set([first.id]);
  expect(await told(member)).toHaveLength(1);
  await set([first.id, second.id]);
  expect(await told(member)).toHaveLength(2);
  await test.call(detachCohortProduct, admin.as, { params: { id: cohort, entryId: second.id } });
  expect(await told(member)).toHaveLength(1);
});

it('reaches more members than one batch holds', async () => {
  const { db } = test.ctx;
  const course = await makeCourse(test);
  const cohort = await makeCohort(test);
  await sql`
    with made as (
      insert into users (id, name, email, email_proven_at)
      select new_id(), 'Member', 'member' || n || '@batch.example', now() from generate_series(1, 501) n returning id)
    insert into cohort_members (cohort_id, user_id) select ${cohort}, id from made`.execute(db);
  await attach(cohort, course.journey.entryId);
  await test.drain();
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from notifications where event = 'assignment' and object_id = ${course.journey.key}`.execute(
    db,
  );
  expect(rows).toEqual([{ count: 501 }]);
});
