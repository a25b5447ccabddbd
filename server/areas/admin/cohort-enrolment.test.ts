import { setTimeout } from 'node:timers/promises';
import { addCohortUser, setCohortProducts } from '@officium/contract/admin';
import {
  attachCohortProduct,
  confirmDraft,
  detachCohortProduct,
  removeCohortMember,
  undoUpload,
} from '@officium/contract/cohorts';
import { archiveCohort, reopenCohort } from '@officium/contract/cohort-lifecycle';
import { updateCohortSettings } from '@officium/contract/cohort-settings';
import { listMyAssignments } from '@officium/contract/learner';
import { listNotifications } from '@officium/contract/notifications';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { settleRecord } from '#server/areas/auth/enrolment-claim.service.ts';
import { enrolMembers } from '#server/areas/learner/cohort-enrolment.service.ts';
import { enrolPaid } from '#server/areas/learner/payment.repository.ts';
import { grantEnrolment } from '#server/areas/learner/product.repository.ts';
import { inTransaction, newId } from '#server/db/client.ts';
import { createTestApp } from '#server/test/app.ts';
import { makePerson, type TestPerson } from '#server/test/factories/accounts.ts';
import { makeCohort, putInCohort } from '#server/test/factories/cohorts.ts';
import { enrol, makeCourse, type TestCourse } from '#server/test/factories/courses.ts';
import { enrolJoinersJob } from './assignment.jobs.ts';

const test = await createTestApp();
const { ctx } = test;
const { db } = ctx;
const admin = await makePerson(test, { role: 'administrator' });

const enrolments = async (person: TestPerson) =>
  (
    await sql<{ journey: string; status: string; by_cohort: boolean }>`
      select journey_key as journey, enrolment_status(status, expires_on) as status, cohort_id is not null as by_cohort
      from journey_enrolments where user_id = ${person.id} order by created_at, id`.execute(db)
  ).rows;
const told = async (person: TestPerson) =>
  (await test.call(listNotifications, person.as)).body.notifications
    .map(({ event }: { event: string }) => event)
    .filter((event: string) => event === 'enrolment' || event === 'assignment');
const enrolAtOnce = async (id: string, enrolsAtOnce = true) => {
  await test.call(updateCohortSettings, admin.as, { params: { id }, body: { enrolsAtOnce } });
  await test.drain();
};
const remove = async (cohort: string, person: TestPerson) =>
  await test.call(removeCohortMember, admin.as, { params: { id: cohort, userId: person.id } });
const start = async (person: TestPerson, course: TestCourse) =>
  await sql`update journey_enrolments set started_at = now()
    where user_id = ${person.id} and journey_key = ${course.journey.key}`.execute(db);
const makeHidden = async () =>
  await makeCourse(test, {
    type: 'Private',
    scopes: { canView: 'private', canJoin: 'private' },
    journeys: [{ privacy: 'closed-private' }],
  });
/** A cohort with its hidden course, and the members it has enrolled. */
async function begin(people: number) {
  const course = await makeHidden();
  const cohort = await makeCohort(test, { products: [course.id] });
  const members = await Promise.all(Array.from({ length: people }, async () => await makePerson(test)));
  for (const person of members) await putInCohort(test, cohort, person);
  await enrolAtOnce(cohort);
  return { course, cohort, members };
}
const byCohort = (course: TestCourse) => ({ journey: course.journey.key, status: 'enrolled', by_cohort: true });

describe('a cohort that enrols at once', () => {
  it('enrols present members, later ones and in later products, and tells them', async () => {
    const [first, second] = [await makeCourse(test, { journeys: [{}, {}] }), await makeCourse(test)];
    const cohort = await makeCohort(test, { products: [first.id] });
    const [present, own, later] = [await makePerson(test), await makePerson(test), await makePerson(test)];
    for (const person of [present, own]) await putInCohort(test, cohort, person);
    await enrol(test, own, first.journey);
    await enrolAtOnce(cohort);
    expect(await enrolments(present)).toEqual([byCohort(first)]);
    expect(await enrolments(own)).toEqual([{ ...byCohort(first), by_cohort: false }]);
    expect([await told(present), await told(own)]).toEqual([['enrolment'], []]);

    await test.call(addCohortUser, admin.as, { params: { id: cohort }, body: { email: later.email } });
    await Promise.all([enrolJoinersJob.run(ctx, {}), enrolJoinersJob.run(ctx, {})]);
    expect(await enrolments(later)).toEqual([byCohort(first)]);
    expect(await told(later)).toEqual(['enrolment']);

    const params = { id: cohort, entryId: second.journey.entryId };
    await test.call(attachCohortProduct, admin.as, { params, body: { dueOn: '2030-01-31' } });
    await test.drain();
    expect((await enrolments(later)).length).toBe(2);
    // The second journey of the first course is still asked for.
    const { assignments } = (await test.call(listMyAssignments, later.as)).body;
    expect(assignments.map(({ slug }: { slug: string }) => slug)).toEqual([first.journeys[1]?.slug]);
    const { notifications } = (await test.call(listNotifications, later.as)).body;
    expect(notifications[0]).toMatchObject({ event: 'enrolment', due: 'due', path: `/courses/${second.slug}` });

    await enrolAtOnce(cohort, false);
    const last = await makePerson(test);
    await putInCohort(test, cohort, last);
    await enrolJoinersJob.run(ctx, {});
    expect(await enrolments(last)).toEqual([]);
  });

  it('deletes what was not started and ends the rest when a member is removed', async () => {
    const [open, hidden] = [
      await makeCourse(test),
      await makeCourse(test, {
        type: 'Private',
        scopes: { canView: 'private', canJoin: 'private' },
        journeys: [{ privacy: 'closed-private' }],
      }),
    ];
    const cohort = await makeCohort(test, { products: [open.id, hidden.id] });
    const person = await makePerson(test);
    await putInCohort(test, cohort, person);
    await enrolAtOnce(cohort);
    expect((await enrolments(person)).length).toBe(2);
    await sql`update journey_enrolments set started_at = now()
      where user_id = ${person.id} and journey_key = ${hidden.journey.key}`.execute(db);
    await test.call(removeCohortMember, admin.as, { params: { id: cohort, userId: person.id } });
    expect(await enrolments(person)).toEqual([{ ...byCohort(hidden), status: 'expired' }]);
  });

  it('is undone with an upload', async () => {
    const course = await makeCourse(test);
    const cohort = await makeCohort(test, { name: 'Intake', products: [course.id] });
    await enrolAtOnce(cohort);
    const person = await makePerson(test);
    const params = { id: cohort };
    const boundary = 'a-line-between-parts';
    const draft = await test.send('POST', `/api/admin/cohorts/${cohort}/drafts`, {
      as: admin.as,
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
      body: [
        `--${boundary}`,
        'content-disposition: form-data; name="file"; filename="people.csv"',
        'content-type: text/csv',
        '',
        `email\n${person.email}\nnew-person@intake.example`,
        `--${boundary}--`,
        '',
      ].join('\r\n'),
    });
    expect(draft.body).toMatchObject({ fresh: 2, added: 1, invited: 1, mailsAfterSeconds: 0 });
    const { uploadId } = (
      await test.call(confirmDraft, admin.as, { params: { ...params, draftId: draft.body.id }, body: { slug: 'may' } })
    ).body;
    await test.drain();
    await enrolJoinersJob.run(ctx, {});
    expect(await enrolments(person)).toEqual([byCohort(course)]);
    await test.call(undoUpload, admin.as, { params: { ...params, uploadId }, body: { name: 'Intake' } });
    await test.drain();
    expect([await enrolments(person), await told(person)]).toEqual([[], []]);
  });

  it('keeps what somebody else gave or another cohort grants since', async () => {
    const { course, cohort, members } = await begin(5);
    const [reserved, paid, given, shared, alone] = members as [
      TestPerson,
      TestPerson,
      TestPerson,
      TestPerson,
      TestPerson,
    ];
    const journeyKey = course.journey.key;
    const id = newId();
    await sql`insert into bulk_enrolments (id, email, type, slug) values (${id}, ${reserved.email}, 'courses', ${course.slug})`.execute(
      db,
    );
    await inTransaction(db, async (trx) => await settleRecord(trx, id));
    expect(await enrolPaid(db, { userId: paid.id, journeyKey, locale: 'en' })).toBe(true);
    await grantEnrolment(db, {
      userId: given.id,
      journeyKey,
      locale: 'en',
      status: 'enrolled',
      expiresOn: null,
      stripeMetadata: { bulkEnrolment: false, cohortIds: [] },
    });
    const other = await makeCohort(test, { products: [course.id] });
    await putInCohort(test, other, shared);
    for (const person of members) await remove(cohort, person);
    const mine = { ...byCohort(course), by_cohort: false };
    for (const person of [reserved, paid, given]) expect(await enrolments(person)).toEqual([mine]);
    expect([await enrolments(shared), await enrolments(alone)]).toEqual([[byCohort(course)], []]);
    await remove(other, shared);
    expect((await enrolments(shared)).map(({ status }) => status)).toEqual(['expired']);
  });

  it('ends its enrolments when a product is detached, unless something else grants them', async () => {
    for (const detach of [
      async (cohort: string, entryId: string) =>
        await test.call(detachCohortProduct, admin.as, { params: { id: cohort, entryId } }),
      async (cohort: string) =>
        await test.call(setCohortProducts, admin.as, { params: { id: cohort }, body: { entryIds: [] } }),
    ]) {
      const { course, cohort, members } = await begin(3);
      const [idle, started, shared] = members as [TestPerson, TestPerson, TestPerson];
      for (const person of [started, shared]) await start(person, course);
      await putInCohort(test, await makeCohort(test, { products: [course.id] }), shared);
      expect((await detach(cohort, course.id)).status).toBe(204);
      await test.drain();
      expect(await enrolments(idle)).toEqual([]);
      expect(await enrolments(started)).toEqual([{ ...byCohort(course), status: 'expired' }]);
      expect(await enrolments(shared)).toEqual([byCohort(course)]);
    }
  });

  it('ends its enrolments in former products when a member is removed', async () => {
    const { course, cohort, members } = await begin(1);
    const [person] = members as [TestPerson];
    await start(person, course);
    await sql`delete from cohort_products where cohort_id = ${cohort}`.execute(db);
    await remove(cohort, person);
    expect(await enrolments(person)).toEqual([{ ...byCohort(course), status: 'expired' }]);
  });

  it('enrols nobody who is removed, and in no product that is detached, at the same time', async () => {
    for (const table of ['cohort_members', 'cohort_products']) {
      const course = await makeHidden();
      const cohort = await makeCohort(test, { products: [course.id] });
      const person = await makePerson(test);
      await putInCohort(test, cohort, person);
      let enrolling: Promise<void> | undefined;
      await inTransaction(db, async (trx) => {
        await sql`delete from ${sql.table(table)} where cohort_id = ${cohort}`.execute(trx);
        const assigned = { cohortId: cohort, entryIds: [course.id], userIds: [person.id] };
        enrolling = inTransaction(db, async (other) => await enrolMembers(other, assigned));
        await Promise.race([enrolling, setTimeout(300)]);
      });
      await enrolling;
      expect(await enrolments(person)).toEqual([]);
    }
  });

  it('enrols nobody while it is archived', async () => {
    const [course, later] = [await makeHidden(), await makeHidden()];
    const cohort = await makeCohort(test, { products: [course.id] });
    const [present, joined] = [await makePerson(test), await makePerson(test)];
    await putInCohort(test, cohort, present);
    const params = { id: cohort };
    await test.call(archiveCohort, admin.as, { params });
    const refused = [
      await test.call(updateCohortSettings, admin.as, { params, body: { enrolsAtOnce: true } }),
      await test.call(attachCohortProduct, admin.as, { params: { ...params, entryId: later.id }, body: {} }),
      await test.call(setCohortProducts, admin.as, { params, body: { entryIds: [course.id, later.id] } }),
    ];
    expect(refused.map(({ body }) => body.code)).toEqual(Array(3).fill('admin.cohort_archived'));
    await test.call(reopenCohort, admin.as, { params });
    await test.call(updateCohortSettings, admin.as, { params, body: { enrolsAtOnce: true } });
    await putInCohort(test, cohort, joined);
    await test.call(archiveCohort, admin.as, { params });
    await test.drain();
    await enrolJoinersJob.run(ctx, {});
    expect([await enrolments(present), await enrolments(joined)]).toEqual([[], []]);
    await test.call(reopenCohort, admin.as, { params });
    await test.drain();
    await enrolJoinersJob.run(ctx, {});
    expect([await enrolments(present), await enrolments(joined)]).toEqual([[byCohort(course)], [byCohort(course)]]);
  });
});
