import { Assessment } from '@officium/contract/assessment';
import { AssessmentAttempt, startAttempt } from '@officium/contract/assessments';
import { listExtraTime, setExtraTime } from '@officium/contract/extra-time';
import { readLesson } from '@officium/contract/learner';
import { describe, expect, it } from 'vitest';
import { createTestApp } from '#server/test/app.ts';
import { makePerson, type TestPerson } from '#server/test/factories/accounts.ts';
import { enrol, makeAssessment, makeCourse, type TestCourse } from '#server/test/factories/courses.ts';
import { assignRoles } from '#server/test/factories/roles.ts';

const test = await createTestApp();
const admin = await makePerson(test, { role: 'administrator' });

async function timed(settings: Partial<Assessment> = { minutes: 20 }) {
  const course = await makeCourse(test);
  await makeAssessment(test, course.journey.lessons[0]!, undefined, settings); // made with the course
  const learner = await makePerson(test);
  await enrol(test, learner, course.journey);
  return { course, learner };
}

const give = async ({ id }: TestCourse, person: string, percent: unknown, as = admin.as) =>
  await test.call(setExtraTime, as, { params: { key: id }, body: { person, percent } });
const list = async ({ id }: TestCourse, as = admin.as) => await test.call(listExtraTime, as, { params: { key: id } });
const paramsOf = ({ slug, journey }: TestCourse) => ({
  courseSlug: slug,
  journeySlug: journey.slug,
  lessonSlug: journey.lessons[0]!.slug, // as above
});
const start = async (course: TestCourse, { as }: TestPerson) =>
  AssessmentAttempt.parse((await test.call(startAttempt, as, { params: paramsOf(course), body: {} })).body);
const minutesOf = ({ startedAt, dueAt }: { startedAt: string; dueAt: string | null }) =>
  dueAt && (Date.parse(dueAt) - Date.parse(startedAt)) / 60_000;
const codeOf = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code];

describe('setExtraTime', () => {
  it('lengthens the attempts of one person, on the page too, until it is taken back', async () => {
    const { course, learner } = await timed();
    const other = await makePerson(test);
    await enrol(test, other, course.journey);
    expect((await give(course, learner.id, 25)).status).toBe(204);
    const shown = async ({ as }: TestPerson) =>
      (await test.call(readLesson, as, { params: paramsOf(course) })).body.lesson.assessment.minutes;
    expect([await shown(learner), await shown(other)]).toEqual([25, 20]);
    expect(minutesOf(await start(course, learner))).toBeCloseTo(25, 3);
    expect(minutesOf(await start(course, other))).toBeCloseTo(20, 3);
    expect((await list(course)).body).toEqual({ people: [{ id: learner.id, name: learner.name, percent: 25 }] });
    await give(course, learner.id, 0);
    expect((await list(course)).body).toEqual({ people: [] });
    expect(minutesOf(await start(course, learner))).toBeCloseTo(20, 3);
  });

  it('moves the deadline of an attempt under way, found by e-mail address', async () => {
    const { course, learner } = await timed();
    const { id } = await start(course, learner);
    await give(course, learner.email.toUpperCase(), 100);
    const again = await start(course, learner);
    expect([again.id, minutesOf(again)]).toEqual([id, expect.closeTo(40, 3)]);
  });

  it('gives no deadline to assessments without a time limit', async () => {
    const { course, learner } = await timed({ minutes: null });
    const before = await start(course, learner);
    await give(course, learner.id, 50);
    expect([before.dueAt, (await start(course, learner)).dueAt]).toEqual([null, null]);
  });

  it('leaves other courses of the person, and an attempt whose time is up, as they are', async () => {
    const [one, two] = [await timed(), await timed()];
    await enrol(test, one.learner, two.course.journey);
    const { id } = await start(one.course, one.learner);
    const past = { started_at: new Date(Date.now() - 3_600_000), due_at: new Date(Date.now() - 2_400_000) };
    await test.ctx.db.updateTable('assessment_attempts').set(past).where('id', '=', id).execute();
    await give(one.course, one.learner.id, 300);
    const row = await test.ctx.db.selectFrom('assessment_attempts').select('due_at').where('id', '=', id).execute();
    expect(row).toEqual([{ due_at: past.due_at }]);
    expect(minutesOf(await start(two.course, one.learner))).toBeCloseTo(20, 3);
  });

  it('refuses strangers of the course and wrong numbers', async () => {
    const { course, learner } = await timed();
    const stranger = await makePerson(test);
    for (const person of [stranger.id, stranger.email, 'nobody@example.org', admin.id])
      expect(codeOf(await give(course, person, 25))).toEqual([404, 'request.not_found']);
    for (const percent of [-1, 301, 1.5, '25', null])
      expect((await give(course, learner.id, percent)).status).toBe(400);
    expect((await give(course, 'nobody', 25)).status).toBe(400);
    expect(codeOf(await list({ ...course, id: 'nothing' }))).toEqual([404, 'request.not_found']);
  });

  it('is for owners of the course and administrators', async () => {
    const { course, learner } = await timed();
    const other = await makeCourse(test);
    const asks = async (role: 'course-owner' | 'author' | undefined, id: string) => {
      const person = await makePerson(test);
      if (role) await assignRoles(test, person, [{ role, kind: 'course', id }]);
      return [(await list(course, person.as)).status, (await give(course, learner.id, 10, person.as)).status];
    };
    expect(await asks('course-owner', course.id)).toEqual([200, 204]);
    expect(await asks('author', course.id)).toEqual([403, 403]);
    expect(await asks('course-owner', other.id)).toEqual([404, 404]);
    expect(await asks(undefined, course.id)).toEqual([403, 403]);
    expect((await list(course, learner.as)).status).toBe(403);
  });
});
