import { enrolMyself, listMyAssignments } from '@officium/contract/learner';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { openSession } from '#server/access/sessions.ts';
import { importPath } from '#server/areas/importing/import-source.service.ts';
import { type As, createTestApp } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { makeCohort, putInCohort } from '#server/test/factories/cohorts.ts';
import { makeContentFolder } from '#server/test/factories/content.ts';
import { makeCourse, setEntryStatus } from '#server/test/factories/courses.ts';

const test = await createTestApp();
const { db } = test.ctx;

const mine = async (as: As) =>
  listMyAssignments.replies[200].parse((await test.call(listMyAssignments, as)).body).assignments;
const setDue = async (cohort: string, day: string) =>
  await sql`update cohort_products set due_on = ${day} where cohort_id = ${cohort}`.execute(db);

describe('listMyAssignments', () => {
  it('names what a cohort asks for until it is begun, also where nobody else may join', async () => {
    const [maya, other] = [await makePerson(test), await makePerson(test)];
    const course = await makeCourse(test, { type: 'Private' });
    await sql`update journeys set privacy = 'closed-private' where key = ${course.journey.key}`.execute(db);
    const cohort = await makeCohort(test, { name: 'Intake of May', products: [course.journey.entryId] });
    await putInCohort(test, cohort, maya);
    await setDue(cohort, '2030-05-31');
    const expected = {
      kind: 'journey',
      slug: course.journey.slug,
      course: { slug: course.slug },
      cohort: { name: 'Intake of May' },
      dueOn: '2030-05-31',
    };
    expect(await mine(maya.as)).toMatchObject([expected]);
    expect(await mine(other.as)).toEqual([]);

    const body = { courseSlug: course.slug, journeySlug: course.journey.slug, locale: 'en' };
    expect((await test.call(enrolMyself, maya.as, { body })).status).toBe(201);
    expect(await mine(maya.as)).toEqual([]);
  });

  it('names what several cohorts ask for once, with the earliest due date, and sorts by it', async () => {
    const maya = await makePerson(test);
    const [shared, later] = [await makeCourse(test), await makeCourse(test)];
    const cohorts = [
      [await makeCohort(test, { name: 'Late', products: [shared.journey.entryId] }), '2031-01-01'],
      [await makeCohort(test, { name: 'Early', products: [shared.journey.entryId] }), '2030-01-01'],
      [await makeCohort(test, { name: 'Middle', products: [later.journey.entryId] }), '2030-06-01'],
    ] as const;
    for (const [cohort, day] of cohorts) {
      await putInCohort(test, cohort, maya);
      await setDue(cohort, day);
    }
    const seen = (await mine(maya.as)).map(({ course, cohort, dueOn }) => [course?.slug, cohort.name, dueOn]);
    expect(seen).toEqual([
      [shared.slug, 'Early', '2030-01-01'],
      [later.slug, 'Middle', '2030-06-01'],
    ]);
  });

  it('leaves out archived cohorts, withdrawn journeys and courses that the token leaves out', async () => {
    const maya = await makePerson(test);
    const course = await makeCourse(test);
    const cohort = await makeCohort(test, { products: [course.journey.entryId] });
    await putInCohort(test, cohort, maya);
    const token = await openSession(db, { userId: maya.id, permissions: { courses: {} } });
    expect([(await mine(maya.as)).length, await mine({ token })]).toEqual([1, []]);

    await sql`update cohorts set archived_at = now() where id = ${cohort}`.execute(db);
    expect(await mine(maya.as)).toEqual([]);
    await sql`update cohorts set archived_at = null where id = ${cohort}`.execute(db);
    await setEntryStatus(test, course.id, 'withdrawn');
    expect(await mine(maya.as)).toEqual([]);
  });

  it('names microcourses until they are completed', async () => {
    expect((await importPath(test.ctx, await makeContentFolder())).faults).toEqual([]);
    const maya = await makePerson(test);
    await putInCohort(test, await makeCohort(test, { products: ['microcourse.letters'] }), maya);
    expect(await mine(maya.as)).toMatchObject([{ kind: 'microcourse', slug: 'letters', course: null, dueOn: null }]);
    await sql`insert into microcourse_completions (user_id, microcourse_id) values (${maya.id}, 'microcourse.letters')`.execute(
      db,
    );
    expect(await mine(maya.as)).toEqual([]);
  });
});
