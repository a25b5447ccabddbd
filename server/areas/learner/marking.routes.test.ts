import { Assessment } from '@officium/contract/assessment';
import {
  AssessmentAttempt,
  readAttempt,
  saveAnswer,
  startAttempt,
  submitAttempt,
} from '@officium/contract/assessments';
import { checkAnswer } from '@officium/contract/answers';
import { readWaiting } from '@officium/contract/figures';
import { readLesson } from '@officium/contract/learner';
import { listMarking, markAttempt, Marking, readMarking } from '@officium/contract/marking';
import { listNotifications, type Notification } from '@officium/contract/notifications';
import { eraseUser } from '@officium/contract/people';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { renderItem } from '#server/areas/importing/folder-bodies.view.ts';
import { createTestApp, type As } from '#server/test/app.ts';
import { makePerson, type TestPerson } from '#server/test/factories/accounts.ts';
import { enrol, makeCourse, type TestCourse } from '#server/test/factories/courses.ts';
import { makeWaitingAttempt } from '#server/test/factories/attempts.ts';
import { assignRoles } from '#server/test/factories/roles.ts';
import { textLabels } from '#server/text/labels.ts';
import { renderMarkdown } from '#server/text/markdown.ts';
import { LESSON_BLOCKS } from '#server/text/blocks/registry.ts';
import { endOverdueAttempts } from './attempt.service.ts';

const test = await createTestApp();
const { db } = test.ctx;
const admin = await makePerson(test, { role: 'administrator' });

const SOURCE = `:::quiz{type=open words=50}
Why do notices fail?

- [2] Names **one** reason
- [1] Gives an example

> They hide what to do.
:::

:::quiz{type=true-false answer=true}
Is it so?
:::
`;

/** A course of one lesson with an open and a true-or-false question, its owner and a learner. */
async function assessed(settings: Partial<Assessment> = {}, source = SOURCE) {
  const course = await makeCourse(test, { journeys: [{ sections: [{ lessons: [{}] }] }] });
  const { key } = course.journey.lessons[0]!; // made above
  const assessment = Assessment.parse({ passMark: 75, review: 'answers', ...settings });
  const { bodies } = renderItem({ body: { en: source }, bodyFiles: {}, assessment }, new Map(), LESSON_BLOCKS);
  const { html, questions } = bodies[0]!; // one language
  await sql`update lessons set assessment = ${JSON.stringify(assessment)}::jsonb where key = ${key}`.execute(db);
  await sql`update bodies set source = ${source}, html = ${html}, questions = ${JSON.stringify(questions)}::jsonb
            where lesson_key = ${key}`.execute(db);
  const [learner, owner] = [await makePerson(test), await makePerson(test)];
  await assignRoles(test, owner, [{ role: 'course-owner', kind: 'course', id: course.id }]);
  await enrol(test, learner, course.journey);
  return { course, key, learner, owner };
}

const paramsOf = ({ slug, journey }: TestCourse) => ({
  courseSlug: slug,
  journeySlug: journey.slug,
  lessonSlug: journey.lessons[0]!.slug, // every journey here has one
});
const codeOf = ({ status, body }: { status: number; body: unknown }) => [status, (body as { code?: string }).code];

/** Submits an attempt whose true-or-false question is answered right. */
async function submit(course: TestCourse, { as }: TestPerson, text = 'Because\nthey hide it.') {
  const params = paramsOf(course);
  const { id } = AssessmentAttempt.parse((await test.call(startAttempt, as, { params, body: {} })).body);
  const save = async (number: string, body: object) =>
    expect((await test.call(saveAnswer, as, { params: { ...params, attemptId: id, number }, body })).status).toBe(204);
  await save('1', { text });
  await save('2', { choice: [1] });
  const sent = await test.call(submitAttempt, as, { params: { ...params, attemptId: id } });
  return AssessmentAttempt.parse(sent.body);
}

const read = async (course: TestCourse, { as }: TestPerson, id: string) =>
  AssessmentAttempt.parse((await test.call(readAttempt, as, { params: { ...paramsOf(course), attemptId: id } })).body);
const lessonOf = async (course: TestCourse, { as }: TestPerson) =>
  readLesson.replies[200].parse((await test.call(readLesson, as, { params: paramsOf(course) })).body).lesson;
const open = async (as: As, attemptId: string) => await test.call(readMarking, as, { params: { attemptId } });
const list = async (as: As, query: Record<string, unknown> = {}) =>
  listMarking.replies[200].parse((await test.call(listMarking, as, { query })).body);
const mark = async (as: As, attemptId: string, points: unknown, { version = 0, comment = '', number = 1 } = {}) =>
  await test.call(markAttempt, as, { params: { attemptId }, body: { version, marks: [{ number, points, comment }] } });
const told = async ({ as }: TestPerson, event: string) =>
  (await test.call(listNotifications, as)).body.notifications.filter((each: Notification) => each.event === event);

describe('an attempt with an open answer', () => {
  it('has no result before it is marked, and cannot be repeated meanwhile', async () => {
    const { course, learner } = await assessed();
    const attempt = await submit(course, learner);
    expect(attempt).toMatchObject({ score: null, passed: null, endedAt: expect.any(String) });
    const [question, known] = attempt.questions;
    expect(question).toMatchObject({ type: 'open', words: 50, points: 3, earned: null, correct: null, criteria: [] });
    expect(question?.feedbackHtml).toBeNull();
    expect(known).toMatchObject({ earned: 1, correct: true });
    expect(JSON.stringify(attempt)).not.toContain('hide what to do');
    const again = await test.call(startAttempt, learner.as, { params: paramsOf(course), body: {} });
    expect(codeOf(again)).toEqual([409, 'learner.attempt_waits']);
    expect((await lessonOf(course, learner)).assessment).toMatchObject({ waits: true, passed: false, best: null });
  });

  it('needs no marker without an answer, which counts as nothing', async () => {
    const { course, learner, owner } = await assessed();
    const attempt = await submit(course, learner, '  ');
    expect(attempt).toMatchObject({ score: 25, passed: false });
    expect((await list(owner.as)).attempts).toEqual([]);
    expect(await told(owner, 'marking_waiting')).toEqual([]);
  });

  it('waits too when its time is up', async () => {
    const { course, learner, owner } = await assessed({ minutes: 20 });
    const params = paramsOf(course);
    const { id } = AssessmentAttempt.parse((await test.call(startAttempt, learner.as, { params, body: {} })).body);
    await test.call(saveAnswer, learner.as, {
      params: { ...params, attemptId: id, number: '1' },
      body: { text: 'So' },
    });
    await sql`update assessment_attempts set due_at = now() - interval '1 minute' where id = ${id}`.execute(db);
    expect(await read(course, learner, id)).toMatchObject({ score: null, passed: null, endedAt: expect.any(String) });
    await endOverdueAttempts(test.ctx);
    expect((await list(owner.as)).attempts.map((each) => each.id)).toEqual([id]);
  });

  it('takes long texts, but no other question does', async () => {
    const { course, learner } = await assessed();
    const params = paramsOf(course);
    const { id } = AssessmentAttempt.parse((await test.call(startAttempt, learner.as, { params, body: {} })).body);
    const save = async (text: string) =>
      (await test.call(saveAnswer, learner.as, { params: { ...params, attemptId: id, number: '1' }, body: { text } }))
        .status;
    expect([await save('x'.repeat(20_000)), await save('x'.repeat(20_001))]).toEqual([204, 400]);
  });
});

describe('markAttempt', () => {
  it('decides with the last mark, completes the lesson and tells the learner', async () => {
    const { course, learner, owner } = await assessed();
    const { id } = await submit(course, learner);
    const marking = Marking.parse((await open(owner.as, id)).body);
    expect(marking).toMatchObject({
      version: 0,
      learner: { id: learner.id, name: learner.name },
      others: { earned: 1, points: 1 },
      questions: [
        {
          number: 1,
          answer: 'Because\nthey hide it.',
          points: 3,
          words: 50,
          mark: null,
          criteria: [
            { html: 'Names <strong>one</strong> reason', points: 2 },
            { html: 'Gives an example', points: 1 },
          ],
        },
      ],
    });
    expect(marking.questions[0]?.modelAnswerHtml).toContain('hide what to do');
    const done = await mark(owner.as, id, [1.5, 1], { comment: ' Good.\nMore examples! ' });
    expect(Marking.parse(done.body)).toMatchObject({ version: 1, score: 87, passed: true });
    const attempt = await read(course, learner, id);
    expect(attempt).toMatchObject({ score: 87, passed: true });
    expect(attempt.questions[0]).toMatchObject({
      earned: 2.5,
      correct: false,
      comment: 'Good.\nMore examples!',
      criteria: [
        { points: 2, earned: 1.5 },
        { points: 1, earned: 1 },
      ],
    });
    expect(attempt.questions[0]?.feedbackHtml).toContain('hide what to do');
    const completions = sql`select from lesson_completions where user_id = ${learner.id}`;
    expect((await completions.execute(db)).rows).toHaveLength(1);
    const path = `/courses/${course.slug}/${course.journey.slug}/${course.journey.lessons[0]!.slug}/attempts/${id}`;
    expect(await told(learner, 'attempt_marked')).toMatchObject([{ path, actor: null }]);
  });

  it('can be repeated with audit, but takes back no pass', async () => {
    const { course, learner, owner } = await assessed();
    const { id } = await submit(course, learner);
    expect((await mark(owner.as, id, [0, 0])).body).toMatchObject({ score: 25, passed: false });
    expect((await mark(owner.as, id, [2, 1], { version: 1 })).body).toMatchObject({ score: 100, passed: true });
    expect((await mark(owner.as, id, [2, 0.5], { version: 2 })).body).toMatchObject({ score: 87, passed: true });
    expect(codeOf(await mark(owner.as, id, [0, 0], { version: 3 }))).toEqual([409, 'learner.pass_stands']);
    expect((await read(course, learner, id)).score).toBe(87);
    const { rows } = await sql<{ action: string; actor: string; detail: object }>`
      select action, actor, detail from audit_log where object = ${learner.id} and action like '%mark%' order by position`.execute(
      db,
    );
    const own = { actor: owner.id, detail: { courseId: course.id } };
    expect(rows).toEqual([
      { ...own, action: 'content.mark-attempt' },
      { ...own, action: 'content.change-mark' },
      { ...own, action: 'content.change-mark' },
    ]);
  });

  it('keeps a part of the marks until all are given', async () => {
    const { course, learner, owner } = await assessed({}, `${SOURCE}\n:::quiz{type=open points=4}\nAnd how?\n:::\n`);
    const params = paramsOf(course);
    const { id } = AssessmentAttempt.parse((await test.call(startAttempt, learner.as, { params, body: {} })).body);
    for (const number of ['1', '3'])
      await test.call(saveAnswer, learner.as, { params: { ...params, attemptId: id, number }, body: { text: 'So' } });
    await test.call(submitAttempt, learner.as, { params: { ...params, attemptId: id } });
    expect((await mark(owner.as, id, [4], { number: 3, comment: 'First' })).body).toMatchObject({
      score: null,
      version: 1,
    });
    const waiting = await read(course, learner, id);
    expect([waiting.passed, waiting.questions[2]?.comment, waiting.questions[2]?.earned]).toEqual([null, null, null]);
    expect(await told(learner, 'attempt_marked')).toEqual([]);
    expect((await mark(owner.as, id, [2, 1], { version: 1 })).body).toMatchObject({ score: 87, passed: true });
  });

  it('refuses points that the question does not have', async () => {
    const { course, learner, owner } = await assessed();
    const { id } = await submit(course, learner);
    for (const points of [[3, 1], [2], [2, 1, 0], [-1, 1], [0.3, 1], ['2', 1], []])
      expect((await mark(owner.as, id, points)).status).toBe(400);
    expect((await mark(owner.as, id, [1], { number: 2 })).status).toBe(400);
    expect((await mark(owner.as, id, [2, 1], { comment: 'x'.repeat(4_001) })).status).toBe(400);
    expect((await read(course, learner, id)).passed).toBeNull();
  });

  it('lets only one of two markers through', async () => {
    const { course, learner, owner } = await assessed();
    const { id } = await submit(course, learner);
    const answers = await Promise.all([mark(owner.as, id, [2, 1]), mark(admin.as, id, [0, 0])]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(codeOf(answers.find(({ status }) => status === 409)!)).toEqual([409, 'learner.marked_meanwhile']);
    const first = answers[0]?.status === 200;
    expect((await read(course, learner, id)).score).toBe(first ? 100 : 25);
  });

  it('leaves nothing of a learner who is erased meanwhile', async () => {
    for (let times = 0; times < 5; times++) {
      const { course, learner, owner } = await assessed();
      const { id } = await submit(course, learner);
      const [marked, erased] = await Promise.all([
        mark(owner.as, id, [2, 1], { comment: 'Well done' }),
        test.call(eraseUser, admin.as, { params: { id: learner.id } }),
      ]);
      expect([200, 404]).toContain(marked.status);
      expect(erased.status).toBeLessThan(300);
      const { rows } = await sql<{ left: number }>`
        select (select count(*)::int from assessment_attempts where user_id = ${learner.id})
          + (select count(*)::int from lesson_completions where user_id = ${learner.id})
          + (select count(*)::int from notifications where user_id = ${learner.id}) as left`.execute(db);
      expect(rows).toEqual([{ left: 0 }]);
    }
  });
});

describe('who may mark', () => {
  it('are administrators and owners of the course, and nobody else', async () => {
    const { course, learner, owner } = await assessed();
    const { id } = await submit(course, learner);
    const other = await assessed();
    const author = await makePerson(test);
    await assignRoles(test, author, [{ role: 'author', kind: 'course', id: course.id }]);
    const asks = async ({ as }: TestPerson) => [
      (await open(as, id)).status,
      (await mark(as, id, [9, 9])).status,
      (await test.call(listMarking, as, {})).status,
    ];
    expect(await asks(owner)).toEqual([200, 400, 200]);
    expect(await asks(admin)).toEqual([200, 400, 200]);
    expect(await asks(other.owner)).toEqual([404, 404, 200]);
    expect(await asks(author)).toEqual([403, 403, 403]);
    expect(await asks(learner)).toEqual([403, 403, 403]);
    expect((await list(other.owner.as)).attempts).toEqual([]);
    const missing = '00000000-0000-7000-8000-000000000000';
    expect((await open(owner.as, missing)).status).toBe(404);
  });

  it('never mark themselves, and are not told of their own attempts', async () => {
    const { course, owner } = await assessed();
    await enrol(test, owner, course.journey);
    const { id } = await submit(course, owner);
    expect((await open(owner.as, id)).status).toBe(403);
    expect((await mark(owner.as, id, [2, 1])).status).toBe(403);
    expect((await list(owner.as)).attempts).toEqual([]);
    expect(await told(owner, 'marking_waiting')).toEqual([]);
  });

  it('see what waits, oldest first, and what was marked', async () => {
    const { course, key, learner, owner } = await assessed();
    const second = await makePerson(test);
    await enrol(test, second, course.journey);
    const before = (await test.call(readWaiting, admin.as)).body.answers;
    const ids = [(await submit(course, learner)).id, (await submit(course, second)).id];
    expect((await test.call(readWaiting, admin.as)).body.answers).toBe(before + 2);
    const waiting = await list(owner.as);
    expect(waiting.attempts.map(({ id, learner: { name } }) => [id, name])).toEqual([
      [ids[0], learner.name],
      [ids[1], second.name],
    ]);
    expect([waiting.counted, waiting.courses]).toMatchObject([2, [{ id: course.id, waiting: 2 }]]);
    expect(await told(owner, 'marking_waiting')).toMatchObject([{ count: 2, path: '/admin/marking' }]);
    await mark(owner.as, ids[0]!, [2, 1]); // two were made
    expect((await list(owner.as, { course: course.id })).attempts.map(({ id }) => id)).toEqual([ids[1]]);
    expect((await list(owner.as, { state: 'marked' })).attempts.map(({ id }) => id)).toEqual([ids[0]]);
    await mark(owner.as, ids[1]!, [0, 0]); // as above
    expect(await told(owner, 'marking_waiting')).toEqual([]);
    const lapsed = await makeWaitingAttempt(test, await makePerson(test), { key });
    await sql`update assessment_attempts set lapsed_at = now() where id = ${lapsed}`.execute(db);
    expect((await list(owner.as)).counted).toBe(0);
    expect((await open(owner.as, lapsed)).status).toBe(404);
  });
});

it('shows criteria and a model answer to those who check an open answer in a lesson', async () => {
  const course = await makeCourse(test);
  const { key, slug } = course.journey.lessons[1]!; // the first lesson is a preview
  const { html } = renderMarkdown(SOURCE, { blocks: LESSON_BLOCKS, ...textLabels('en') });
  expect(html).not.toMatch(/hide what|Names|example/);
  expect(html).toContain('At most 50 words.');
  await sql`update bodies set source = ${SOURCE}, html = ${html} where lesson_key = ${key}`.execute(db);
  const learner = await makePerson(test);
  await enrol(test, learner, course.journey);
  const params = { ...paramsOf(course), lessonSlug: slug };
  const check = async (text: string) => await test.call(checkAnswer, learner.as, { params, body: { quiz: '1', text } });
  expect((await check('Mine')).body).toMatchObject({ correct: null, options: [], prompts: [] });
  const { feedback } = (await check('Mine')).body;
  expect(feedback).toContain('<li>Names <strong>one</strong> reason</li>');
  expect(feedback).toContain('They hide what to do.');
  expect(codeOf(await check(' '))).toEqual([400, 'learner.answer_missing']);
});
