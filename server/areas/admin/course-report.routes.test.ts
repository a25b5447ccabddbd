import { readCourseCompletion } from '@officium/contract/course-reports';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { newId } from '#server/db/client.ts';
import { createTestApp } from '#server/test/app.ts';
import { narrow } from '#server/test/authority/subjects.ts';
import { makePerson, type TestPerson } from '#server/test/factories/accounts.ts';
import { makeCohort, putInCohort } from '#server/test/factories/cohorts.ts';
import { enrol, makeCourse, makeLesson, setEntryStatus, type TestCourse } from '#server/test/factories/courses.ts';
import { countQueries } from '#server/test/queries.ts';

const test = await createTestApp();
const { db } = test.ctx;
const admin = await makePerson(test, { role: 'administrator' });

const ask = async (course: TestCourse, query: Record<string, string> = {}, as: TestPerson['as'] = admin.as) =>
  await test.call(readCourseCompletion, as, { params: { courseSlug: course.slug }, query });
const read = async (course: TestCourse, query?: Record<string, string>) => {
  const { status, body } = await ask(course, query);
  expect([status, body]).toEqual([200, body]);
  return readCourseCompletion.replies[200].parse(body);
};
const journeyOf = async (course: TestCourse, query?: Record<string, string>) =>
  (await read(course, query)).journeys[0]!; // courses of this file have a journey

/** Enrols a person who joined so many days ago and completed the first lessons, one a day from then on. */
async function learn(course: TestCourse, daysAgo: number, lessons: number, person?: TestPerson): Promise<TestPerson> {
  const learner = person ?? (await makePerson(test));
  await enrol(test, learner, course.journey);
  await sql`update journey_enrolments set created_at = now() - make_interval(days => ${daysAgo})
    where user_id = ${learner.id} and journey_key = ${course.journey.key}`.execute(db);
  for (const [nth, { key }] of course.journey.lessons.slice(0, lessons).entries())
    await sql`insert into lesson_completions (id, user_id, lesson_key, completed_at)
      values (${newId()}, ${learner.id}, ${key}, now() - make_interval(days => ${daysAgo - nth - 1}))`.execute(db);
  return learner;
}

describe('the completion of a course', () => {
  it('is counted for each lesson: reached, completed, days from joining, and stopped', async () => {
    const course = await makeCourse(test);
    await learn(course, 60, 0); // never started
    await learn(course, 5, 0); // may still start
    await learn(course, 60, 1); // stopped after the first lesson
    await learn(course, 60, 2); // stopped after the second one
    await learn(course, 20, 2); // still learning
    const done = await learn(course, 60, 3);
    await sql`update journey_enrolments set completed_at = now() where user_id = ${done.id}`.execute(db);
    const journey = await journeyOf(course);
    expect(journey).toMatchObject({ people: 6, started: 4, completed: 1, neverStarted: 1 });
    const none = { expired: 0, withdrawn: 0 };
    expect(journey.lessons.map(({ title: _title, ...lesson }) => lesson)).toEqual([
      {
        lessonSlug: 'lesson-1',
        mandatory: true,
        reached: 6,
        completed: 4,
        medianDays: 1,
        stopped: 1,
        stoppedBecause: none,
      },
      {
        lessonSlug: 'lesson-2',
        mandatory: true,
        reached: 4,
        completed: 3,
        medianDays: 2,
        stopped: 1,
        stoppedBecause: none,
      },
      {
        lessonSlug: 'lesson-3',
        mandatory: true,
        reached: 3,
        completed: 1,
        medianDays: 3,
        stopped: 0,
        stoppedBecause: none,
      },
      {
        lessonSlug: 'lesson-4',
        mandatory: false,
        reached: 1,
        completed: 0,
        medianDays: null,
        stopped: 0,
        stoppedBecause: none,
      },
    ]);
  });

  it('takes the median, and the lesson completed last, not the farthest one', async () => {
    const course = await makeCourse(test);
    for (const days of [40, 50]) await learn(course, days, 1);
    const back = await learn(course, 90, 0);
    const [first, , third] = course.journey.lessons;
    for (const [key, days] of [
      [third!.key, 80],
      [first!.key, 70],
    ] as const)
      await sql`insert into lesson_completions (id, user_id, lesson_key, completed_at)
        values (${newId()}, ${back.id}, ${key}, now() - make_interval(days => ${days}))`.execute(db);
    const { lessons } = await journeyOf(course);
    expect(lessons.map(({ medianDays }) => medianDays)).toEqual([1, null, 10, null]);
    expect(lessons.map(({ stopped }) => stopped)).toEqual([3, 0, 0, 0]);
    expect(lessons.map(({ reached }) => reached)).toEqual([3, 3, 1, 1]);
  });

  it('tells why people stopped when it is known: ended or withdrawn', async () => {
    const course = await makeCourse(test);
    const [ended, withdrawn, finished] = [
      await learn(course, 60, 1),
      await learn(course, 60, 1),
      await learn(course, 60, 3),
    ];
    await learn(course, 60, 1);
    await sql`update journey_enrolments set expires_on = now() - interval '1 day' where user_id = ${ended.id}`.execute(
      db,
    );
    // A withdrawal deletes the enrolment. Who had completed all mandatory lessons has not stopped.
    for (const { id } of [withdrawn, finished])
      await sql`delete from journey_enrolments where user_id = ${id}`.execute(db);
    const journey = await journeyOf(course);
    expect(journey).toMatchObject({ people: 4, started: 4, completed: 1 });
    expect(journey.lessons[0]).toMatchObject({ stopped: 3, stoppedBecause: { expired: 1, withdrawn: 1 } });
    expect(journey.lessons[2]).toMatchObject({ stopped: 0 });
  });

  it('leaves out enrolments that are not confirmed, withdrawn lessons and withdrawn journeys', async () => {
    const course = await makeCourse(test, { journeys: [{}, {}] });
    const [kept, gone] = course.journeys;
    await enrol(test, await makePerson(test), kept!, { status: 'pending' });
    const lesson = await makeLesson(test, { journeyKey: kept!.key, position: 9 });
    await sql`update lessons set withdrawn_at = now() where key = ${lesson.key}`.execute(db);
    await setEntryStatus(test, gone!.entryId, 'withdrawn');
    const { journeys } = await read(course);
    expect(journeys).toMatchObject([{ journeySlug: kept!.slug, people: 0 }]);
    expect(journeys[0]?.lessons).toHaveLength(4);
  });

  it('lists a journey without lessons', async () => {
    const course = await makeCourse(test, { journeys: [{ sections: [] }] });
    await learn(course, 60, 0);
    expect(await journeyOf(course)).toMatchObject({ people: 1, neverStarted: 1, lessons: [] });
  });
});

describe('the filters', () => {
  it('narrow to a cohort, a country, an organisation and the weeks of joining', async () => {
    const course = await makeCourse(test);
    const people = await Promise.all(Array.from({ length: 10 }, () => makePerson(test)));
    for (const person of people) await learn(course, 60, 1, person);
    const five = people.slice(0, 5);
    const cohort = await makeCohort(test);
    for (const person of five) await putInCohort(test, cohort, person);
    const ids = five.map(({ id }) => id);
    await sql`update users set organization = 'City of Ghent', location = '{"id": "be", "en": "Belgium", "code": "BE"}'
      where id = any(${ids}::uuid[])`.execute(db);
    // Monday 6 January 2025 and the Sunday before it.
    await sql`update journey_enrolments set created_at = '2025-01-06T00:00:00Z' where user_id = any(${ids}::uuid[])`.execute(
      db,
    );
    await sql`update journey_enrolments set created_at = '2025-01-05T23:59:59Z'
      where journey_key = ${course.journey.key} and not user_id = any(${ids}::uuid[])`.execute(db);
    const countOf = async (query: Record<string, string>) => (await journeyOf(course, query)).people;
    expect(await countOf({})).toBe(10);
    expect(await countOf({ cohort })).toBe(5);
    expect(await countOf({ country: 'be' })).toBe(5);
    expect(await countOf({ country: 'NL' })).toBe(null);
    expect(await countOf({ organization: 'city of ghent' })).toBe(5);
    expect(await countOf({ from: '2025-01-12' })).toBe(5);
    expect(await countOf({ from: '2025-01-05' })).toBe(10);
    expect(await countOf({ from: '2025-01-06', to: '2025-01-08' })).toBe(5);
    expect(await countOf({ cohort, to: '2025-01-05' })).toBe(null);
    expect((await read(course, { cohort })).isNarrowed).toBe(true);
    expect((await read(course)).isNarrowed).toBe(false);
  });

  it('withhold numbers below five and what would reveal them', async () => {
    const course = await makeCourse(test);
    const cohort = await makeCohort(test);
    for (let nth = 0; nth < 9; nth += 1) await putInCohort(test, cohort, await learn(course, 60, nth < 3 ? 2 : 1));
    const [ended] = await db
      .selectFrom('journey_enrolments')
      .select('id')
      .where('journey_key', '=', course.journey.key)
      .orderBy('created_at')
      .limit(1)
      .execute();
    await sql`update journey_enrolments set expires_on = now() - interval '1 day' where id = ${ended!.id}`.execute(db);
    const journey = await journeyOf(course, { cohort });
    expect(journey).toMatchObject({ people: 9, started: 9, completed: 0 });
    expect(journey.lessons.slice(0, 3)).toMatchObject([
      { reached: 9, completed: 9, medianDays: 1, stopped: 6 },
      { reached: 9, completed: null, medianDays: null, stopped: null, stoppedBecause: null },
      { reached: null, completed: 0, stopped: 0, stoppedBecause: { expired: 0, withdrawn: 0 } },
    ]);
    expect((await journeyOf(course)).lessons[1]).toMatchObject({ completed: 3, stopped: 3 });
  });

  it('withhold what tells, as the difference to the whole course, about fewer than five people', async () => {
    const course = await makeCourse(test);
    const many = [];
    for (let nth = 0; nth < 7; nth += 1) many.push(await learn(course, 60, 0));
    await learn(course, 60, 1);
    await sql`update users set organization = 'Big Org' where id = any(${many.map(({ id }) => id)}::uuid[])`.execute(
      db,
    );
    expect(await journeyOf(course)).toMatchObject({ people: 8, started: 1 });
    const nothing = { people: null, started: null, completed: null, neverStarted: null };
    expect(await journeyOf(course, { organization: 'Big Org' })).toMatchObject(nothing);

    for (let nth = 0; nth < 4; nth += 1) await learn(course, 60, nth === 0 ? 0 : 1);
    const journey = await journeyOf(course, { organization: 'Big Org' });
    expect(journey).toMatchObject({ people: 7, started: null, completed: 0, neverStarted: null });
    expect(journey.lessons[0]).toMatchObject({ reached: 7, completed: null, medianDays: null, stopped: null });
    expect(await journeyOf(course)).toMatchObject({ people: 12, started: 4, neverStarted: 8 });
  });

  it('withhold every number of fewer than five people', async () => {
    const course = await makeCourse(test);
    const cohort = await makeCohort(test);
    for (let nth = 0; nth < 4; nth += 1) await putInCohort(test, cohort, await learn(course, 60, 1));
    const journey = await journeyOf(course, { cohort });
    expect(journey).toMatchObject({ people: null, started: null, completed: null, neverStarted: null });
    for (const lesson of journey.lessons)
      expect(lesson).toMatchObject({ reached: null, completed: null, stopped: null, stoppedBecause: null });
  });
});

describe('access to the report', () => {
  it('is for administrators whose session includes the course', async () => {
    const course = await makeCourse(test);
    expect((await test.call(readCourseCompletion, undefined, { params: { courseSlug: course.slug } })).status).toBe(
      401,
    );
    expect((await ask(course, {}, (await makePerson(test)).as)).status).toBe(403);
    expect((await ask({ ...course, slug: 'unknown' })).status).toBe(404);
    expect((await ask(course, { cohort: newId() })).status).toBe(404);
    for (const [name, value] of [
      ['country', 'x'],
      ['from', 'soon'],
      ['from', '0000-01-01'],
      ['to', '0000-12-31'],
      ['cohort', 'x'],
      ['organization', ''],
    ] as const)
      expect((await ask(course, { [name]: value })).status).toBe(400);
    const other = await makeCourse(test);
    const narrowed = await narrow(test, admin, { communities: {}, courses: { [other.slug]: [] } });
    expect((await ask(course, {}, narrowed)).status).toBe(404);
    expect((await ask(other, {}, narrowed)).status).toBe(200);
  });

  it('takes two queries after the session', async () => {
    const course = await makeCourse(test);
    await learn(course, 60, 1);
    const count = countQueries(test);
    await read(course);
    expect(await count(() => read(course))).toBe(2);
  });
});
