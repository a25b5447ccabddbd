import { Assessment } from '@officium/contract/assessment';
import {
  AssessmentAttempt,
  readAttempt,
  saveAnswer,
  startAttempt,
  submitAttempt,
} from '@officium/contract/assessments';
import { checkAnswer } from '@officium/contract/answers';
import { completeLesson, listMyJourneysOfCourse, readLesson, recordMyLesson } from '@officium/contract/learner';
import { recordLessonCompletion } from '@officium/contract/people-records';
import { sql } from 'kysely';
import type { z } from 'zod';
import { describe, expect, it } from 'vitest';
import { renderItem } from '#server/areas/importing/folder-bodies.view.ts';
import { createTestApp, type As } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { enrol, makeCourse, type TestCourse } from '#server/test/factories/courses.ts';
import { LESSON_BLOCKS } from '#server/text/blocks/registry.ts';
import { endOverdueAttempts } from './attempt.service.ts';

const test = await createTestApp();
const { db } = test.ctx;

const SOURCE = `Introduction.

:::quiz
Which?

- [ ] this
  > No key here
- [x] that
  > Yes indeed

> In general
:::

:::quiz{#count type=number answer=42}
How many?
:::

:::quiz{type=true-false answer=true}
Is it so?
:::

:::quiz{type=text answer="secret word"}
Name it.
:::
`;

type Attempt = z.output<typeof AssessmentAttempt>;
type Settings = Partial<Assessment>;

/** A course of one lesson with an assessment, and a learner of it. */
async function assessed(settings: Settings = {}, source = SOURCE) {
  const course = await makeCourse(test, { journeys: [{ sections: [{ lessons: [{}] }] }] });
  const { key } = course.journey.lessons[0]!; // made above
  const assessment = Assessment.parse({ passMark: 75, ...settings });
  await putAssessment(key, assessment, source);
  const learner = await makePerson(test);
  await enrol(test, learner, course.journey);
  return { course, learner, key };
}

async function putAssessment(key: string, assessment: Assessment | null, source: string) {
  const { bodies } = renderItem({ body: { en: source }, bodyFiles: {}, assessment }, new Map(), LESSON_BLOCKS);
  const { html, questions } = bodies[0]!; // one language
  await sql`update lessons set assessment = ${assessment && JSON.stringify(assessment)}::jsonb where key = ${key}`.execute(
    db,
  );
  await sql`update bodies set source = ${source}, html = ${html}, questions = ${questions && JSON.stringify(questions)}::jsonb
            where lesson_key = ${key}`.execute(db);
}

const paramsOf = ({ slug, journey }: TestCourse) => ({
  courseSlug: slug,
  journeySlug: journey.slug,
  lessonSlug: journey.lessons[0]!.slug, // every journey here has one
});
const codeOf = ({ status, body }: { status: number; body: unknown }) => [status, (body as { code?: string }).code];

function api(as: As, course: TestCourse) {
  const params = paramsOf(course);
  const of = (attemptId: string) => ({ ...params, attemptId });
  return {
    startRaw: () => test.call(startAttempt, as, { params, body: {} }),
    start: async () => AssessmentAttempt.parse((await test.call(startAttempt, as, { params, body: {} })).body),
    readRaw: (id: string) => test.call(readAttempt, as, { params: of(id) }),
    read: async (id: string) => AssessmentAttempt.parse((await test.call(readAttempt, as, { params: of(id) })).body),
    save: (id: string, number: number, body: object) =>
      test.call(saveAnswer, as, { params: { ...of(id), number: String(number) }, body }),
    submitRaw: (id: string) => test.call(submitAttempt, as, { params: of(id) }),
    submit: async (id: string) =>
      AssessmentAttempt.parse((await test.call(submitAttempt, as, { params: of(id) })).body),
    complete: () => test.call(completeLesson, as, { params }),
    lesson: async () => readLesson.replies[200].parse((await test.call(readLesson, as, { params })).body).lesson,
    journey: async () =>
      listMyJourneysOfCourse.replies[200].parse(
        (await test.call(listMyJourneysOfCourse, as, { params: { courseSlug: course.slug } })).body,
      ).journeys[0],
  };
}
type Api = ReturnType<typeof api>;

const RIGHT: Record<string, (question: Attempt['questions'][number]) => object> = {
  choice: ({ options }) => ({ choice: [options.findIndex(({ html }) => html.includes('that')) + 1] }),
  number: () => ({ text: '42' }),
  'true-false': () => ({ choice: [1] }),
  text: () => ({ text: ' Secret  WORD' }),
};

/** Answers the first `count` questions rightly. */
async function answer(own: Api, attempt: Attempt, count: number) {
  for (const question of attempt.questions.slice(0, count))
    expect((await own.save(attempt.id, question.number, RIGHT[question.type]!(question))).status).toBe(204); // all four types
}
const shift = (id: string, seconds: number) =>
  sql`update assessment_attempts set due_at = now() + make_interval(secs => ${seconds}) where id = ${id}`.execute(db);

describe('startAttempt', () => {
  it('starts one attempt, which a second start returns', async () => {
    const { course, learner } = await assessed({ minutes: 30, attempts: 2 });
    const own = api(learner.as, course);
    const first = await own.startRaw();
    expect(first.status).toBe(201);
    const attempt = AssessmentAttempt.parse(first.body);
    expect(attempt).toMatchObject({ locale: 'en', passMark: 75, endedAt: null, score: null });
    expect(attempt.secondsLeft).toBeGreaterThan(1790);
    expect(attempt.questions.map(({ type }) => type)).toEqual(['choice', 'number', 'true-false', 'text']);
    const second = await own.startRaw();
    expect([second.status, AssessmentAttempt.parse(second.body).id]).toEqual([200, attempt.id]);
  });

  it('never starts more than one at a time, nor more than the allowed number', async () => {
    const { course, learner } = await assessed({ attempts: 1 });
    const own = api(learner.as, course);
    const starts = await Promise.all(Array.from({ length: 8 }, () => own.startRaw()));
    expect(new Set(starts.map(({ body }) => AssessmentAttempt.parse(body).id)).size).toBe(1);
    expect(starts.filter(({ status }) => status === 201)).toHaveLength(1);
    await own.submit(AssessmentAttempt.parse(starts[0]?.body).id);
    const more = await Promise.all([own.startRaw(), own.startRaw()]);
    for (const each of more) expect(codeOf(each)).toEqual([409, 'learner.attempts_used']);
    expect(await own.lesson()).toMatchObject({ assessment: { attemptsUsed: 1, attempts: 1, openAttempt: null } });
  });

  it('draws and shuffles once: every read shows the same questions and options', async () => {
    const options = Array.from({ length: 9 }, (_, n) => `- [${n === 4 ? 'x' : ' '}] option ${n}`).join('\n');
    const source = Array.from({ length: 12 }, (_, n) => `:::quiz\nQuestion ${n}?\n\n${options}\n:::\n`).join('\n');
    const { course, learner } = await assessed({ draw: 5, shuffle: true, attempts: 20 }, source);
    const own = api(learner.as, course);
    const attempt = await own.start();
    expect(attempt.questions).toHaveLength(5);
    expect(new Set(attempt.questions.map(({ questionHtml }) => questionHtml)).size).toBe(5);
    const stripped = ({ questions }: Attempt) => questions;
    expect(stripped(await own.read(attempt.id))).toEqual(stripped(attempt));
    expect(stripped(await own.start())).toEqual(stripped(attempt));
    const seen = new Set([JSON.stringify(stripped(attempt))]);
    for (let times = 0; times < 4; times++) {
      await own.submit((await own.start()).id);
      seen.add(JSON.stringify(stripped(await own.start())));
    }
    expect(seen.size).toBeGreaterThan(1);
  });

  it('is for enrolled learners of a lesson with an assessment', async () => {
    const { course, learner, key } = await assessed();
    const stranger = await makePerson(test);
    expect(codeOf(await api({}, course).startRaw())).toEqual([401, 'auth.required']);
    expect(codeOf(await api(stranger.as, course).startRaw())).toEqual([403, 'learner.not_enrolled']);
    const waiting = await makePerson(test);
    await enrol(test, waiting, course.journey, { status: 'pending' });
    expect(codeOf(await api(waiting.as, course).startRaw())).toEqual([403, 'learner.enrolment_pending']);
    await putAssessment(key, null, SOURCE);
    expect(codeOf(await api(learner.as, course).startRaw())).toEqual([404, 'request.not_found']);
  });
});

describe('every operation of an attempt', () => {
  it('requires a current enrolment', async () => {
    const { course, learner } = await assessed();
    const { id } = await api(learner.as, course).start();
    const [stranger, waiting, late] = [await makePerson(test), await makePerson(test), await makePerson(test)];
    await enrol(test, waiting, course.journey, { status: 'pending' });
    await enrol(test, late, course.journey, { expiresOn: new Date(Date.now() - 60_000) });
    for (const [person, code] of [
      [stranger, 'learner.not_enrolled'],
      [waiting, 'learner.enrolment_pending'],
      [late, 'learner.enrolment_expired'],
    ] as const) {
      const own = api(person.as, course);
      const replies = [own.startRaw(), own.readRaw(id), own.save(id, 1, { choice: [1] }), own.submitRaw(id)];
      for (const reply of await Promise.all(replies)) expect(codeOf(reply)).toEqual([403, code]);
    }
  });
});

describe('readAttempt', () => {
  it('shows no key before the end', async () => {
    const { course, learner } = await assessed({ review: 'answers' });
    const own = api(learner.as, course);
    const attempt = await own.start();
    const { body: page } = await test.call(readLesson, learner.as, { params: paramsOf(course) });
    for (const text of [JSON.stringify(attempt), JSON.stringify(page)])
      expect(text).not.toMatch(/No key here|Yes indeed|In general|42|secret word|isRight/);
    expect(JSON.stringify(page)).not.toMatch(/Which\?|How many/);
    expect(attempt.questions.flatMap(({ options }) => options).every(({ correct }) => correct === null)).toBe(true);
    const checked = await test.call(checkAnswer, learner.as, {
      params: paramsOf(course),
      body: { quiz: '1', choice: [2] },
    });
    expect(checked.status).toBe(404);
  });

  it('shows after the end what the review allows', async () => {
    const results = [];
    for (const review of ['none', 'result', 'answers'] as const) {
      const { course, learner } = await assessed({ review });
      const own = api(learner.as, course);
      const attempt = await own.start();
      await answer(own, attempt, 2);
      results.push(await own.submit(attempt.id));
    }
    const [none, result, answers] = results as [Attempt, Attempt, Attempt]; // three reviews
    expect(none).toMatchObject({ score: 50, passed: false, questions: [] });
    expect(result.questions.map(({ correct }) => correct)).toEqual([true, true, false, false]);
    expect(JSON.stringify(result)).not.toMatch(/No key here|Yes indeed|In general|secret word/);
    expect(answers.questions[0]).toMatchObject({
      options: [
        { correct: false, feedbackHtml: null },
        { correct: true, feedbackHtml: expect.stringContaining('Yes indeed') },
      ],
      feedbackHtml: expect.stringContaining('In general'),
    });
    expect(answers.questions.map(({ rightAnswer }) => rightAnswer)).toEqual([null, '42', null, 'secret word']);
  });

  it('is for its own person and lesson', async () => {
    const { course, learner } = await assessed();
    const { course: other } = await assessed();
    const attempt = await api(learner.as, course).start();
    const colleague = await makePerson(test);
    await enrol(test, colleague, course.journey);
    const theirs = api(colleague.as, course);
    expect((await theirs.readRaw(attempt.id)).status).toBe(404);
    expect((await theirs.submitRaw(attempt.id)).status).toBe(404);
    expect((await theirs.save(attempt.id, 2, { text: '42' })).status).toBe(404);
    await enrol(test, learner, other.journey);
    expect((await api(learner.as, other).readRaw(attempt.id)).status).toBe(404);
    await sql`update journey_enrolments set expires_on = now() - interval '1 day' where user_id = ${learner.id}`.execute(
      db,
    );
    for (const call of ['readRaw', 'submitRaw'] as const)
      expect(codeOf(await api(learner.as, course)[call](attempt.id))).toEqual([403, 'learner.enrolment_expired']);
    const narrowed = await makePerson(test);
    await enrol(test, narrowed, course.journey);
    await sql`update sessions set permissions = ${JSON.stringify({ courses: { other: [] } })}
              where user_id = ${narrowed.id}`.execute(db);
    expect(codeOf(await api(narrowed.as, course).readRaw(attempt.id))).toEqual([403, 'auth.forbidden']);
  });

  it('keeps its questions when the lesson changes', async () => {
    const { course, learner, key } = await assessed();
    const own = api(learner.as, course);
    const attempt = await own.start();
    await putAssessment(
      key,
      Assessment.parse({ passMark: 100 }),
      SOURCE.replace('42', '43').replace('Which?', 'What?'),
    );
    expect((await own.read(attempt.id)).questions).toEqual(attempt.questions);
    await answer(own, attempt, 3);
    expect(await own.submit(attempt.id)).toMatchObject({ score: 75, passed: true });
  });
});

describe('saveAnswer', () => {
  it('replaces and clears an answer', async () => {
    const { course, learner } = await assessed();
    const own = api(learner.as, course);
    const { id } = await own.start();
    await own.save(id, 2, { text: '1' });
    await own.save(id, 2, { text: '2' });
    await own.save(id, 1, { choice: [1] });
    expect((await own.read(id)).questions.map((question) => question.answer)).toMatchObject([
      { choice: [1] },
      { text: '2' },
      { choice: [] },
      { text: '' },
    ]);
    await own.save(id, 1, {});
    expect((await own.read(id)).questions[0]?.answer.choice).toEqual([]);
  });

  it('refuses what the question cannot have', async () => {
    const { course, learner } = await assessed();
    const own = api(learner.as, course);
    const { id } = await own.start();
    for (const [number, body] of [
      [1, { choice: [3] }],
      [1, { choice: [1, 2] }],
      [1, { text: 'that' }],
      [2, { choice: [1] }],
      [2, { text: 'x'.repeat(501) }],
      [1, { choice: ['a'] }],
    ] as const)
      expect((await own.save(id, number, body)).status).toBe(400);
    expect((await own.save(id, 5, { text: 'x' })).status).toBe(404);
    expect((await own.save(id, 0, { text: 'x' })).status).toBe(400);
  });

  it('is refused after the deadline and its grace, and after submission', async () => {
    const { course, learner } = await assessed({ minutes: 1 });
    const own = api(learner.as, course);
    const { id } = await own.start();
    await shift(id, -5);
    expect((await own.save(id, 2, { text: '42' })).status).toBe(204);
    await shift(id, -11);
    expect(codeOf(await own.save(id, 2, { text: '43' }))).toEqual([409, 'learner.attempt_ended']);
    expect(await own.read(id)).toMatchObject({ score: 25, passed: false, secondsLeft: null });
    const next = await own.start();
    expect(next.id).not.toBe(id);
    await own.submit(next.id);
    expect(codeOf(await own.save(next.id, 2, { text: '42' }))).toEqual([409, 'learner.attempt_ended']);
  });

  it('is stored whole or refused when the attempt is submitted at the same time', async () => {
    const { course, learner } = await assessed();
    const own = api(learner.as, course);
    for (let times = 0; times < 5; times++) {
      const { id } = await own.start();
      const [saved, result] = await Promise.all([own.save(id, 2, { text: '42' }), own.submit(id)]);
      expect(result.score).toBe((await own.read(id)).score);
      expect([saved.status, result.score]).toEqual(saved.status === 204 ? [204, 25] : [409, 0]);
    }
  });
});

describe('submitAttempt', () => {
  it('completes the lesson and its journey with a pass, once', async () => {
    const { course, learner } = await assessed();
    const own = api(learner.as, course);
    expect(codeOf(await own.complete())).toEqual([409, 'learner.not_passed']);
    for (const record of [recordMyLesson, recordLessonCompletion]) {
      const body = { ...paramsOf(course), eventType: 'completed' };
      expect(codeOf(await test.call(record, learner.as, { body }))).toEqual([409, 'learner.not_passed']);
    }
    const failed = await own.start();
    await answer(own, failed, 2);
    expect(await own.submit(failed.id)).toMatchObject({ score: 50, passed: false });
    expect((await own.lesson()).completed).toBe(false);
    const attempt = await own.start();
    await answer(own, attempt, 3);
    const results = await Promise.all([own.submit(attempt.id), own.submit(attempt.id)]);
    expect(results[0]).toEqual(results[1]);
    expect(results[0]).toMatchObject({ score: 75, passed: true });
    expect(await own.lesson()).toMatchObject({
      completed: true,
      assessment: { best: 75, passed: true, attemptsUsed: 2, lastAttempt: attempt.id },
    });
    expect((await own.journey())?.completedAt).not.toBeNull();
    expect((await own.complete()).status).toBe(204);
    expect(codeOf(await own.startRaw())).toEqual([409, 'learner.already_passed']);
  });

  it('is done by the job for attempts whose time is up', async () => {
    const { course, learner } = await assessed({ minutes: 1 });
    const own = api(learner.as, course);
    const attempt = await own.start();
    await answer(own, attempt, 4);
    await endOverdueAttempts(test.ctx);
    expect((await own.read(attempt.id)).endedAt).toBeNull();
    await shift(attempt.id, -20);
    await Promise.all([endOverdueAttempts(test.ctx), endOverdueAttempts(test.ctx)]);
    const ended = await own.read(attempt.id);
    expect(ended).toMatchObject({ score: 100, passed: true, endedAt: ended.dueAt });
    expect((await own.lesson()).completed).toBe(true);
  });

  it('keeps completions from before the lesson had an assessment', async () => {
    const { course, learner, key } = await assessed();
    const own = api(learner.as, course);
    await putAssessment(key, null, SOURCE);
    await own.complete();
    await putAssessment(key, Assessment.parse({ passMark: 50 }), SOURCE);
    expect((await own.complete()).status).toBe(204);
  });
});
