import { saveAnswer } from '@officium/contract/assessments';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { createTestApp } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { enrol, makeAttempt, makeCourse } from '#server/test/factories/courses.ts';
import type { AssessmentQuestion } from '#server/text/assessment-questions.ts';

const test = await createTestApp({ RATE_LIMITS: 'on' });
const { db } = test.ctx;

const OPEN: AssessmentQuestion = {
  quiz: 'open',
  type: 'open',
  isMultiple: false,
  questionHtml: 'Why?',
  moreHtml: '',
  options: [],
  feedbackHtml: null,
  key: {},
};

it('limits an account to 128 megabytes of long answers in ten minutes, counting all that a save stores anew', async () => {
  const learner = await makePerson(test);
  const attemptOf = async (questions: number) => {
    const course = await makeCourse(test);
    await enrol(test, learner, course.journey);
    const lesson = course.journey.lessons[0]!; // made with the course
    const id = await makeAttempt(test, learner, lesson, Array<AssessmentQuestion>(questions).fill(OPEN));
    const at = { courseSlug: course.slug, journeySlug: course.journey.slug, lessonSlug: lesson.slug, attemptId: id };
    const save = async (text: string) =>
      (await test.call(saveAnswer, learner.as, { params: { ...at, number: '1' }, body: { text } })).status;
    return { id, save };
  };
  const [long, short] = [await attemptOf(50), await attemptOf(1)];
  const answers = sql`(select jsonb_object_agg(n, jsonb_build_object('choice', '[]'::jsonb, 'text', repeat('x', 20000)))
    from generate_series(2, 50) n)`;
  await sql`update assessment_attempts set answers = ${answers} where id = ${long.id}`.execute(db);
  expect(await long.save('So')).toBe(204);
  const key = `save-answer:${learner.id}`;
  const { rows } = await sql<{ used: number }>`select used from rate_limits where key = ${key}`.execute(db);
  expect(rows[0]?.used).toBeGreaterThan(49 * 20_000);
  await sql`update rate_limits set used = ${128 * 1024 * 1024 - 500_000} where key = ${key}`.execute(db);
  expect([await long.save('So'), await short.save('So')]).toEqual([429, 204]);
});
