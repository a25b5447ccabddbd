import {
  enrolMyself,
  listMyCourses,
  listMyJourneys,
  listMyJourneysOfCourse,
  readMyLearning,
} from '@officium/contract/learner';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createTestApp } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { completeLessons, enrol, makeCourse, setEntryStatus } from '#server/test/factories/courses.ts';

const test = await createTestApp();
const PAST = new Date(Date.now() - 60_000);
const FUTURE = new Date(Date.now() + 3_600_000);

const bodyFor = (course: { slug: string; journey: { slug: string } }) => ({
  courseSlug: course.slug,
  journeySlug: course.journey.slug,
  locale: 'fr',
});

describe('enrolMyself', () => {
  it('enrols in an open journey, and returns the same enrolment again', async () => {
    const [maya, course] = [await makePerson(test), await makeCourse(test)];
    const first = await test.call(enrolMyself, maya.as, {
      body: {
        ...bodyFor(course),
        expiresOn: '2099-01-01T00:00:00.000Z',
        contentfulMetadata: { courseId: 'forged', journeyId: 'forged' },
      },
    });
    expect(first.status).toBe(201);
    expect(enrolMyself.replies[201].parse(first.body)).toMatchObject({
      courseSlug: course.slug,
      journeySlug: 'foundations',
      locale: 'fr',
      status: 'enrolled',
      expiresOn: null,
      completedAt: null,
      contentfulMetadata: { courseId: course.id, journeyId: course.journey.id },
    });
    const second = await test.call(enrolMyself, maya.as, { body: { ...bodyFor(course), locale: 'de' } });
    expect([second.status, second.body]).toEqual([201, first.body]);
  });

  it('creates one enrolment for many concurrent requests', async () => {
    const [maya, course] = [await makePerson(test), await makeCourse(test)];
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => test.call(enrolMyself, maya.as, { body: bodyFor(course) })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  });

  it('answers alike for unknown and hidden courses', async () => {
    const maya = await makePerson(test);
    const hidden = [
      await makeCourse(test, { type: 'Private' }),
      await makeCourse(test, { scopes: null }),
      await makeCourse(test, { journeys: [{ privacy: 'open-private' }] }),
      await makeCourse(test, { journeys: [{ privacy: 'closed-private' }] }),
    ];
    const unknown = [
      { slug: 'no-such-course', journey: { slug: 'x' } },
      { ...hidden[0]!, journey: { slug: 'x' } },
    ];
    for (const course of [...hidden, ...unknown]) {
      const { status, body } = await test.call(enrolMyself, maya.as, { body: bodyFor(course) });
      expect([status, { ...body, requestId: '' }]).toEqual([
        404,
        { statusCode: 404, error: 'Not Found', message: 'Not found.', code: 'request.not_found', requestId: '' },
      ]);
    }
  });

  it('refuses journeys the viewer sees but may not join', async () => {
    const visitor = await makePerson(test, { role: 'non-public-servant' });
    const closed = await makeCourse(test, { journeys: [{ privacy: 'closed-public' }] });
    const paid = await makeCourse(test, { journeys: [{ privacy: 'stripe-public' }] });
    const verified = await makeCourse(test, { scopes: { canView: 'public', canJoin: 'verified' } });
    for (const course of [closed, paid, verified]) {
      const { status, body } = await test.call(enrolMyself, visitor.as, { body: bodyFor(course) });
      expect([status, body.code]).toEqual([403, 'learner.cannot_enrol']);
    }
    const servant = await makePerson(test);
    expect((await test.call(enrolMyself, servant.as, { body: bodyFor(verified) })).status).toBe(201);
    const administrator = await makePerson(test, { role: 'administrator' });
    expect((await test.call(enrolMyself, administrator.as, { body: bodyFor(closed) })).status).toBe(201);
  });

  it('never extends an enrolment, and revives an expired one only in an open journey', async () => {
    const maya = await makePerson(test);
    const open = await makeCourse(test);
    const id = await enrol(test, maya, open.journey, { expiresOn: FUTURE });
    const kept = await test.call(enrolMyself, maya.as, { body: { ...bodyFor(open), expiresOn: '2099-01-01' } });
    expect(kept.body).toMatchObject({ id, expiresOn: FUTURE.toISOString() });

    const ended = await makeCourse(test);
    const endedId = await enrol(test, maya, ended.journey, { expiresOn: PAST });
    await completeLessons(test, maya, ended.journey.lessons.slice(0, 1));
    const again = await test.call(enrolMyself, maya.as, { body: bodyFor(ended) });
    expect([again.status, again.body.id, again.body.status, again.body.expiresOn]).toEqual([
      201,
      endedId,
      'enrolled',
      null,
    ]);
    const { body } = await test.call(listMyJourneysOfCourse, maya.as, { params: { courseSlug: ended.slug } });
    expect(body.journeys[0].progress.completedLessons).toBe(1);

    const closed = await makeCourse(test, { type: 'Private', journeys: [{ privacy: 'closed-private' }] });
    await enrol(test, maya, closed.journey, { expiresOn: PAST });
    const refused = await test.call(enrolMyself, maya.as, { body: bodyFor(closed) });
    expect([refused.status, refused.body.code]).toEqual([403, 'learner.enrolment_expired']);
  });

  it('leaves a pending enrolment pending', async () => {
    const maya = await makePerson(test);
    const course = await makeCourse(test, { journeys: [{ privacy: 'closed-public' }] });
    await enrol(test, maya, course.journey, { status: 'pending' });
    const { status, body } = await test.call(enrolMyself, maya.as, { body: bodyFor(course) });
    expect([status, body.code]).toEqual([403, 'learner.enrolment_pending']);
  });

  it('does not enrol a session whose token leaves the course out', async () => {
    const [maya, course] = [await makePerson(test), await makeCourse(test)];
    await sql`update sessions set permissions = ${JSON.stringify({ courses: { other: [] } })}
              where user_id = ${maya.id}`.execute(test.ctx.db);
    const { status, body } = await test.call(enrolMyself, maya.as, { body: bodyFor(course) });
    expect([status, body.code]).toEqual([403, 'learner.cannot_enrol']);
  });

  it('refuses visitors, inactive accounts and malformed bodies', async () => {
    const [maya, course] = [await makePerson(test), await makeCourse(test)];
    expect((await test.call(enrolMyself, {}, { body: bodyFor(course) })).status).toBe(401);
    const inactive = await makePerson(test, { role: 'inactive' });
    expect((await test.call(enrolMyself, inactive.as, { body: bodyFor(course) })).status).toBe(403);
    for (const body of [
      {},
      { courseSlug: course.slug },
      { ...bodyFor(course), journeySlug: ['foundations'] },
      { ...bodyFor(course), journeySlug: 'a\0b' },
      { ...bodyFor(course), courseSlug: 'x'.repeat(5000) },
      { ...bodyFor(course), locale: 'xx' },
      ...[7, '', 'soon', '2099-02-30', '01/02/2099'].map((expiresOn) => ({ ...bodyFor(course), expiresOn })),
    ])
      expect((await test.call(enrolMyself, maya.as, { body })).status).toBe(400);
  });
});

describe('my enrolments', () => {
  it('are listed newest first with their current status, without other people’s', async () => {
    const [maya, other] = [await makePerson(test), await makePerson(test)];
    const [first, second] = [await makeCourse(test), await makeCourse(test)];
    await enrol(test, maya, first.journey, { expiresOn: PAST });
    await enrol(test, maya, second.journey, { status: 'expired', expiresOn: FUTURE });
    await enrol(test, other, first.journey);
    await sql`update journey_enrolments set created_at = now() - interval '1 day', metadata = '{"bulkEnrolment": true, "cohortIds": ["a"]}'
              where user_id = ${maya.id} and journey_key = ${first.journey.key}`.execute(test.ctx.db);

    const journeys = listMyJourneys.replies[200].parse((await test.call(listMyJourneys, maya.as)).body);
    expect(journeys.total).toBe(2);
    expect(journeys.journeys.map(({ courseSlug, status }) => [courseSlug, status])).toEqual([
      [second.slug, 'enrolled'],
      [first.slug, 'expired'],
    ]);

    const courses = listMyCourses.replies[200].parse((await test.call(listMyCourses, maya.as)).body);
    expect(courses.courses.map(({ isEnrolled, stripeMetadata }) => [isEnrolled, stripeMetadata])).toEqual([
      [true, { bulkEnrolment: false, cohortIds: [] }],
      [false, { bulkEnrolment: true, cohortIds: ['a'] }],
    ]);
    const one = await test.call(listMyCourses, maya.as, { query: { courseSlug: first.slug } });
    expect([one.body.total, one.body.courses[0].courseSlug]).toEqual([1, first.slug]);
    const none = await test.call(listMyCourses, maya.as, { query: { courseSlug: 'no-such-course' } });
    expect(none.body).toEqual({ courses: [], total: 0 });
  });

  it('require a session', async () => {
    for (const operation of [listMyJourneys, listMyCourses, readMyLearning])
      expect((await test.call(operation)).status).toBe(401);
    const params = { courseSlug: 'x' };
    expect((await test.call(listMyJourneysOfCourse, {}, { params })).status).toBe(401);
    const maya = await makePerson(test);
    expect((await test.call(listMyJourneysOfCourse, maya.as, { params, query: { locale: 'xx' } })).status).toBe(400);
  });

  it('count mandatory and optional lessons separately and leave out withdrawn ones', async () => {
    const maya = await makePerson(test);
    const course = await makeCourse(test, { journeys: [{ title: { en: 'Basics', fr: 'Les bases' } }] });
    await enrol(test, maya, course.journey);
    const [first, second, , optional] = course.journey.lessons;
    await completeLessons(test, maya, [first!, second!, optional!]);
    const read = async () =>
      listMyJourneysOfCourse.replies[200].parse(
        (
          await test.call(listMyJourneysOfCourse, maya.as, {
            params: { courseSlug: course.slug },
            query: { locale: 'fr-CA' },
          })
        ).body,
      ).journeys;
    expect(await read()).toEqual([
      {
        journeySlug: 'foundations',
        title: 'Les bases',
        status: 'enrolled',
        expiresOn: null,
        completedAt: null,
        certificate: null,
        progress: {
          completedLessons: 2,
          completedTime: 15,
          mandatoryLessons: 3,
          mandatoryTime: 30,
          optional: { completedLessons: 1, lessons: 1 },
        },
      },
    ]);
    await sql`update lessons set withdrawn_at = now() where key = ${second!.key}`.execute(test.ctx.db);
    expect((await read())[0]!.progress).toMatchObject({ completedLessons: 1, mandatoryLessons: 2, mandatoryTime: 20 });
  });

  it('are empty in a visible course, 404 in a hidden one, and kept in a course hidden later', async () => {
    const maya = await makePerson(test);
    const open = await makeCourse(test);
    const read = (courseSlug: string) => test.call(listMyJourneysOfCourse, maya.as, { params: { courseSlug } });
    expect((await read(open.slug)).body).toEqual({ journeys: [], total: 0 });
    const hidden = await makeCourse(test, { type: 'Private', journeys: [{ privacy: 'closed-private' }] });
    expect((await read(hidden.slug)).status).toBe(404);
    expect((await read('no-such-course')).status).toBe(404);
    await enrol(test, maya, hidden.journey, { expiresOn: PAST });
    expect((await read(hidden.slug)).body).toMatchObject({ total: 1, journeys: [{ status: 'expired' }] });
  });

  it('are listed on My learning most recently active first, with the next lesson', async () => {
    const maya = await makePerson(test);
    const [quiet, lively] = [await makeCourse(test), await makeCourse(test, { title: { en: 'Lively', ar: 'حي' } })];
    await enrol(test, maya, lively.journey);
    await enrol(test, maya, quiet.journey, { expiresOn: FUTURE });
    await sql`update journey_enrolments set created_at = now() - interval '2 days'
              where user_id = ${maya.id}`.execute(test.ctx.db);
    await completeLessons(test, maya, lively.journey.lessons.slice(0, 1));
    const read = async () =>
      readMyLearning.replies[200].parse((await test.call(readMyLearning, maya.as, { query: { locale: 'ar' } })).body);
    const { journeys, total } = await read();
    expect(total).toBe(2);
    expect(journeys[0]).toMatchObject({
      course: { slug: lively.slug, title: 'حي', cover: null },
      minutesLeft: 25,
      nextLesson: { slug: 'lesson-2', title: 'Lesson 2', minutes: 10 },
    });
    await completeLessons(test, maya, lively.journey.lessons.slice(1, 3));
    expect((await read()).journeys[0]).toMatchObject({ minutesLeft: 0, nextLesson: { slug: 'lesson-4' } });
    await completeLessons(test, maya, lively.journey.lessons.slice(3));
    expect((await read()).journeys[0]!.nextLesson).toBeNull();
    await sql`update journey_enrolments set expires_on = now() where journey_key = ${quiet.journey.key}`.execute(
      test.ctx.db,
    );
    expect((await read()).journeys[1]).toMatchObject({ status: 'expired', nextLesson: null });
  });
});

it('says that a course was withdrawn, and links to nothing in it', async () => {
  const learner = await makePerson(test);
  const course = await makeCourse(test);
  await enrol(test, learner, course.journey);
  const mine = async () => (await test.call(readMyLearning, learner.as)).body.journeys;
  expect(await mine()).toMatchObject([{ isWithdrawn: false, nextLesson: { title: expect.any(String) } }]);
  await sql`update journey_enrolments set completed_at = now() where user_id = ${learner.id}`.execute(test.ctx.db);
  await sql`update journeys set revision = revision + 1 where key = ${course.journey.key}`.execute(test.ctx.db);
  await setEntryStatus(test, course.id, 'withdrawn');
  expect(await mine()).toMatchObject([{ isWithdrawn: true, nextLesson: null, changes: null, dueOn: null }]);
});
