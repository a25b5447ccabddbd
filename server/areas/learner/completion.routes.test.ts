import { completeLesson, listMyJourneysOfCourse, listMyLessons, recordMyLesson } from '@officium/contract/learner';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createTestApp, type As } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { enrol, makeCourse, makeLesson, type TestCourse } from '#server/test/factories/courses.ts';

const test = await createTestApp();
const PAST = new Date(Date.now() - 60_000);

const pathTo = (course: TestCourse, lessonSlug: string) => ({
  courseSlug: course.slug,
  journeySlug: course.journey.slug,
  lessonSlug,
});
const complete = (as: As, course: TestCourse, lessonSlug: string) =>
  test.call(completeLesson, as, { params: pathTo(course, lessonSlug) });

async function myJourney(as: As, course: TestCourse) {
  const { body } = await test.call(listMyJourneysOfCourse, as, { params: { courseSlug: course.slug } });
  return body.journeys[0];
}

async function enrolled(options: Parameters<typeof makeCourse>[1] = {}) {
  const [maya, course] = [await makePerson(test), await makeCourse(test, options)];
  await enrol(test, maya, course.journey);
  return { maya, course };
}

describe('completeLesson', () => {
  it('completes a lesson once when the request is repeated', async () => {
    const { maya, course } = await enrolled();
    const first = await complete(maya.as, course, 'lesson-1');
    expect([first.status, first.body]).toEqual([204, '']);
    const { body: before } = await test.call(listMyLessons, maya.as);
    expect((await complete(maya.as, course, 'lesson-1')).status).toBe(204);
    expect((await test.call(listMyLessons, maya.as)).body).toEqual(before);
    expect((await myJourney(maya.as, course)).progress.completedLessons).toBe(1);
  });

  it('completes the journey permanently with the last mandatory lesson, whatever the optional ones', async () => {
    const { maya, course } = await enrolled();
    await complete(maya.as, course, 'lesson-4');
    await complete(maya.as, course, 'lesson-2');
    await complete(maya.as, course, 'lesson-1');
    expect((await myJourney(maya.as, course)).completedAt).toBeNull();
    await complete(maya.as, course, 'lesson-3');
    const { completedAt } = await myJourney(maya.as, course);
    expect(completedAt).not.toBeNull();
    await makeLesson(test, { journeyKey: course.journey.key, position: 9 }, { slug: 'added' });
    await complete(maya.as, course, 'lesson-3');
    expect(await myJourney(maya.as, course)).toMatchObject({
      completedAt,
      progress: { completedLessons: 3, mandatoryLessons: 4 },
    });
    await complete(maya.as, course, 'added');
    expect((await myJourney(maya.as, course)).completedAt).toBe(completedAt);
  });

  it('counts two hundred concurrent completions of twenty people separately', async () => {
    const lessons = Array.from({ length: 10 }, () => ({ minutes: 5 }));
    const course = await makeCourse(test, { journeys: [{ sections: [{ lessons }] }] });
    const people = await Promise.all(Array.from({ length: 20 }, () => makePerson(test)));
    await Promise.all(people.map((person) => enrol(test, person, course.journey)));
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, n) => complete(people[n % 20]!.as, course, `lesson-${1 + Math.floor(n / 20)}`)),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]));
    const { rows } = await sql<{ counted: number[]; done: boolean }>`
      select array_agg((d.progress ->> 'completedLessons')::int order by (d.progress ->> 'completedLessons')::int) as counted,
        e.completed_at is not null as done
      from journey_enrolments e join lessons l on l.journey_key = e.journey_key
      join lesson_completions d on d.lesson_key = l.key and d.user_id = e.user_id
      where e.journey_key = ${course.journey.key} group by e.id`.execute(test.ctx.db);
    expect(rows).toEqual(people.map(() => ({ counted: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], done: true })));
  });

  it('completes the journey when its last lessons are completed concurrently', async () => {
    const lessons = Array.from({ length: 12 }, () => ({}));
    const { maya, course } = await enrolled({ journeys: [{ sections: [{ lessons }] }] });
    const calls = course.journey.lessons.flatMap(({ slug }) => [slug, slug]);
    const answers = await Promise.all(calls.map((slug) => complete(maya.as, course, slug)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]));
    const journey = await myJourney(maya.as, course);
    expect(journey.progress.completedLessons).toBe(12);
    expect(journey.completedAt).not.toBeNull();
  });

  it('does not complete a journey without mandatory lessons', async () => {
    const { maya, course } = await enrolled({ journeys: [{ sections: [{ lessons: [{ mandatory: false }] }] }] });
    await complete(maya.as, course, 'lesson-1');
    expect((await myJourney(maya.as, course)).completedAt).toBeNull();
  });

  it('requires a current enrolment, from administrators too', async () => {
    const course = await makeCourse(test);
    const [stranger, late, waiting] = [await makePerson(test), await makePerson(test), await makePerson(test)];
    const administrator = await makePerson(test, { role: 'administrator' });
    await enrol(test, late, course.journey, { expiresOn: PAST });
    await enrol(test, waiting, course.journey, { status: 'pending' });
    for (const [person, code] of [
      [stranger, 'learner.not_enrolled'],
      [administrator, 'learner.not_enrolled'],
      [late, 'learner.enrolment_expired'],
      [waiting, 'learner.enrolment_pending'],
    ] as const) {
      const { status, body } = await complete(person.as, course, 'lesson-1');
      expect([status, body.code]).toEqual([403, code]);
    }
    expect((await complete({}, course, 'lesson-1')).status).toBe(401);
  });

  it('answers 404 for a lesson of another journey or course', async () => {
    const { maya, course } = await enrolled({
      journeys: [{}, { sections: [{ lessons: [{ slug: 'elsewhere' }] }] }],
    });
    const other = await makeCourse(test, { journeys: [{ sections: [{ lessons: [{ slug: 'foreign' }] }] }] });
    const hidden = await makeCourse(test, { type: 'Private' });
    for (const slug of ['elsewhere', 'foreign', 'no-such-lesson', 'x'.repeat(200)])
      expect((await complete(maya.as, course, slug)).status).toBe(404);
    expect((await complete(maya.as, hidden, 'lesson-1')).status).toBe(404);
    expect((await complete(maya.as, { ...course, slug: other.slug }, 'foreign')).status).toBe(403);
    await sql`update lessons set withdrawn_at = now() where key = ${course.journey.lessons[1]!.key}`.execute(
      test.ctx.db,
    );
    expect((await complete(maya.as, course, 'lesson-2')).status).toBe(404);
    await sql`update entries set status = 'withdrawn' where id = ${course.id}`.execute(test.ctx.db);
    expect((await complete(maya.as, course, 'lesson-1')).status).toBe(404);
  });

  it('refuses a session whose token leaves the course out', async () => {
    const { maya, course } = await enrolled();
    await sql`update sessions set permissions = ${JSON.stringify({ courses: { other: [] } })}
              where user_id = ${maya.id}`.execute(test.ctx.db);
    const { status, body } = await complete(maya.as, course, 'lesson-1');
    expect([status, body.code]).toEqual([403, 'auth.forbidden']);
  });
});

describe('recordMyLesson', () => {
  it('records the lesson with its own count of the progress, ignoring the given one', async () => {
    const { maya, course } = await enrolled();
    const body = {
      ...pathTo(course, 'lesson-2'),
      locale: 'fr',
      eventType: 'completed',
      contentfulMetadata: { courseId: 'forged' },
      progressSnapshot: {
        completedLessons: 99,
        completedTime: 9999,
        mandatoryLessons: 99,
        mandatoryTime: 9999,
        optional: {},
      },
    };
    const first = await test.call(recordMyLesson, maya.as, { body });
    expect(first.status).toBe(201);
    const lesson = course.journey.lessons[1]!;
    expect(recordMyLesson.replies[201].parse(first.body)).toMatchObject({
      ...pathTo(course, 'lesson-2'),
      locale: 'fr',
      eventType: 'completed',
      contentfulMetadata: { courseId: course.id, journeyId: course.journey.id, lessonId: lesson.id },
      progressSnapshot: {
        completedLessons: 1,
        completedTime: 10,
        mandatoryLessons: 3,
        mandatoryTime: 30,
        optional: { completedLessons: 0, lessons: 1 },
      },
    });
    await complete(maya.as, course, 'lesson-1');
    expect((await test.call(recordMyLesson, maya.as, { body })).body).toEqual(first.body);
    const list = listMyLessons.replies[200].parse((await test.call(listMyLessons, maya.as)).body);
    expect(list.total).toBe(2);
    expect(
      list.lessons.map(({ lessonSlug, progressSnapshot }) => [lessonSlug, progressSnapshot.completedLessons]),
    ).toEqual([
      ['lesson-1', 2],
      ['lesson-2', 1],
    ]);
  });

  it('refuses what completeLesson refuses, and malformed bodies', async () => {
    const [stranger, course] = [await makePerson(test), await makeCourse(test)];
    const body = { ...pathTo(course, 'lesson-1'), locale: 'en', eventType: 'completed' };
    const record = (sent: object, as = stranger.as) => test.call(recordMyLesson, as, { body: sent });
    expect((await record(body)).body.code).toBe('learner.not_enrolled');
    expect((await record({ ...body, lessonSlug: 'no-such-lesson' })).status).toBe(404);
    expect((await record(body, {})).status).toBe(401);
    for (const wrong of [
      { ...body, eventType: 'started' },
      { ...body, eventType: undefined },
      { ...body, lessonSlug: undefined },
      { ...body, lessonSlug: { $ne: 1 } },
      { ...body, progressSnapshot: 'x' },
      { ...body, contentfulMetadata: { 'a\0': 1 } },
    ])
      expect((await record(wrong)).status).toBe(400);
    expect((await test.call(listMyLessons)).status).toBe(401);
  });

  it('does not list another person’s lessons', async () => {
    const { maya, course } = await enrolled();
    await complete(maya.as, course, 'lesson-1');
    const other = await makePerson(test);
    expect((await test.call(listMyLessons, other.as)).body).toEqual({ lessons: [], total: 0 });
  });
});
