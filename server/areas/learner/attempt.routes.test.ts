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

:::quiz{#count type=number answer=4217}
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
  number: () => ({ text: '4217' }),
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

  it('keeps the questions and answers of the first and the last twenty attempts only', async () => {
    const { course, learner } = await assessed();
    const { start, submit, save, read } = api(learner.as, course);
    const ids: string[] = [];
    for (let nth = 0; nth < 24; nth += 1) {
      const { id } = await start();
      await save(id, 2, { text: '4217' });
      await submit(id);
      ids.push(id);
    }
    const open = await start();
    expect(open.questions).toHaveLength(4);
    const counts = [];
    for (const id of ids) counts.push((await read(id)).questions.length);
    expect(counts).toEqual([4, 0, 0, 0, ...Array.from({ length: 20 }, () => 4)]);
    expect(await read(ids[1]!)).toMatchObject({ score: 25, passed: false }); // ended above
  });

  it('starts at most sixty times an hour', async () => {
    const limited = await createTestApp({ RATE_LIMITS: 'on' });
    const course = await makeCourse(limited);
    const learner = await makePerson(limited);
    const start = async () =>
      (await limited.call(startAttempt, learner.as, { params: paramsOf(course), body: {} })).status;
    const statuses = [];
    for (let nth = 0; nth < 61; nth += 1) statuses.push(await start());
    expect([statuses[0], statuses[59], statuses[60]]).toEqual([403, 403, 429]);
  });

  it('draws questions by tag, and does not tell their tags', async () => {
    const source = ['easy', 'hard', 'easy', 'easy']
      .map((tag, at) => `:::quiz{type=number answer=1 tags=${tag}}\nQuestion ${at}?\n:::\n`)
      .join('\n');
    const { course, learner } = await assessed({ draw: 2, drawTags: [{ tag: 'hard', count: 1 }] }, source);
    const own = api(learner.as, course);
    expect(await own.lesson()).toMatchObject({ assessment: { questions: 2 } });
    const { body } = await own.startRaw();
    const shown = AssessmentAttempt.parse(body).questions.map(({ questionHtml }) => questionHtml);
    expect([shown.length, shown.filter((html) => html.includes('Question 1?')).length]).toEqual([2, 1]);
    expect(JSON.stringify(body)).not.toMatch(/tags|easy|hard/);
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
      expect(text).not.toMatch(/No key here|Yes indeed|In general|4217|secret word|isRight/);
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
    expect(answers.questions.map(({ rightAnswer }) => rightAnswer)).toEqual([null, '4217', null, 'secret word']);
  });

  it('shows the feedback of a typed answer after the end, if the review allows', async () => {
    const source =
      ':::quiz{type=text}\nName it.\n\n- [x] First | The first\n  > It is that one\n- [ ] Second\n  > It comes later\n\n> In general\n:::';
    for (const [text, review, told] of [
      ['the FIRST', 'answers', /It is that one.*In general/s],
      ['second', 'answers', /It comes later.*In general/s],
      ['third', 'answers', /^(?!.*It ).*In general/s],
      ['first', 'result', null],
    ] as const) {
      const { course, learner } = await assessed({ review }, source);
      const own = api(learner.as, course);
      const attempt = await own.start();
      expect((await own.save(attempt.id, 1, { text })).status).toBe(204);
      expect(JSON.stringify(await own.read(attempt.id))).not.toMatch(/It is|later|Second|general/);
      const { questions, score } = await own.submit(attempt.id);
      expect(score).toBe(/first/i.test(text) ? 100 : 0);
      if (told === null) expect(JSON.stringify(questions)).not.toMatch(/It is|later|Second|general/);
      else
        expect(questions[0]).toMatchObject({
          feedbackHtml: expect.stringMatching(told),
          rightAnswer: 'First | The first',
        });
      expect(JSON.stringify(questions)).not.toContain(text === 'second' ? 'that one' : 'later');
    }
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
    expect((await theirs.save(attempt.id, 2, { text: '4217' })).status).toBe(404);
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
      SOURCE.replace('4217', '43').replace('Which?', 'What?'),
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
    expect((await own.save(id, 2, { text: '4217' })).status).toBe(204);
    await shift(id, -11);
    expect(codeOf(await own.save(id, 2, { text: '43' }))).toEqual([409, 'learner.attempt_ended']);
    expect(await own.read(id)).toMatchObject({ score: 25, passed: false, secondsLeft: null });
    const next = await own.start();
    expect(next.id).not.toBe(id);
    await own.submit(next.id);
    expect(codeOf(await own.save(next.id, 2, { text: '4217' }))).toEqual([409, 'learner.attempt_ended']);
  });

  it('is stored whole or refused when the attempt is submitted at the same time', async () => {
    const { course, learner } = await assessed();
    const own = api(learner.as, course);
    for (let times = 0; times < 5; times++) {
      const { id } = await own.start();
      const [saved, result] = await Promise.all([own.save(id, 2, { text: '4217' }), own.submit(id)]);
      expect(result.score).toBe((await own.read(id)).score);
      expect([saved.status, result.score]).toEqual(saved.status === 204 ? [204, 25] : [409, 0]);
    }
  });
});

const PLACED = `:::quiz{type=matching}
Who reads what?

- a notice
  - [x] citizens
  > Feedback of the notice
- a circular
  - [x] staff
- [ ] auditors
:::

:::quiz{type=ordering}
What comes first?

1. ask
2. draft
3. check
4. publish

> Feedback of the order
:::
`;
const ITEMS = ['ask', 'draft', 'check', 'publish'];

/** Places of the question that put its options or items as given. */
function placesOf({ type, prompts, options }: Attempt['questions'][number], order: string[]): number[] {
  if (type === 'matching') return prompts.map((_, at) => options.findIndex(({ html }) => html === order[at]) + 1);
  return options.map(({ html }) => order.indexOf(html) + 1);
}

describe('questions to match and to order', () => {
  async function placed(settings: Settings = {}) {
    const { course, learner, key } = await assessed({ passMark: 75, ...settings }, PLACED);
    const own = api(learner.as, course);
    return { own, course, key, learner, attempt: await own.start() };
  }
  const putAll = async (own: Api, { id, questions }: Attempt, orders: string[][]) => {
    for (const [at, question] of questions.entries())
      expect((await own.save(id, question.number, { places: placesOf(question, orders[at] ?? []) })).status).toBe(204);
  };

  it('count their right parts, and pass with all of them', async () => {
    const { own, attempt } = await placed();
    await putAll(own, attempt, [
      ['citizens', 'auditors'],
      ['publish', ...ITEMS.slice(0, 3)],
    ]);
    const result = await own.submit(attempt.id);
    // A half, and two of three neighbours.
    expect(result).toMatchObject({ score: 58, passed: false });
    expect(result.questions).toMatchObject([
      { correct: false, right: 1, total: 2 },
      { correct: false, right: 2, total: 3 },
    ]);
    const again = await own.start();
    await putAll(own, again, [['citizens', 'staff'], ITEMS]);
    expect(await own.submit(again.id)).toMatchObject({ score: 100, passed: true });
  });

  it('never tell their key before the end, and then as the review allows', async () => {
    for (const review of ['result', 'answers'] as const) {
      const { own, attempt, course, learner } = await placed({ review });
      const [matching, ordering] = attempt.questions;
      expect(JSON.stringify(attempt)).not.toMatch(/Feedback|isRight|"places":\[[1-9]/);
      expect(matching?.prompts).toMatchObject([{ option: null, feedbackHtml: null }, { option: null }]);
      expect(ordering?.options.every(({ position }) => position === null)).toBe(true);
      const page = JSON.stringify((await test.call(readLesson, learner.as, { params: paramsOf(course) })).body);
      expect(page).not.toMatch(/citizens|publish"/);
      await putAll(own, attempt, [['citizens', 'staff'], ITEMS]);
      const saved = await own.read(attempt.id);
      expect(JSON.stringify(saved)).not.toMatch(/Feedback|"correct":(?:true|false)|"right":\d/);
      const { questions } = await own.submit(attempt.id);
      const shown = questions.map(({ prompts, options }) => [
        ...prompts.map((each) => each.option),
        ...options.map((each) => each.position),
      ]);
      if (review === 'result') expect(shown.flat().every((each) => each === null)).toBe(true);
      else {
        expect(questions[0]?.prompts.map(({ option }) => questions[0]?.options[(option ?? 0) - 1]?.html)).toEqual([
          'citizens',
          'staff',
        ]);
        expect(questions[0]?.prompts[0]?.feedbackHtml).toContain('Feedback of the notice');
        expect(
          questions[1]?.options.toSorted((a, b) => (a.position ?? 0) - (b.position ?? 0)).map(({ html }) => html),
        ).toEqual(ITEMS);
        expect(questions[1]?.feedbackHtml).toContain('Feedback of the order');
      }
    }
  });

  it('are shuffled with their key, and each read shows the same', async () => {
    const orders = new Set<string>();
    for (let times = 0; times < 6; times++) {
      const { own, attempt } = await placed({ shuffle: true });
      const byType = attempt.questions.toSorted((one, other) => one.type.localeCompare(other.type));
      orders.add(JSON.stringify(byType.map(({ options }) => options.map(({ html }) => html))));
      expect((await own.read(attempt.id)).questions).toEqual(attempt.questions);
      const orderOf = ({ type }: Attempt['questions'][number]) => (type === 'matching' ? ['citizens', 'staff'] : ITEMS);
      await putAll(own, attempt, attempt.questions.map(orderOf));
      expect(await own.submit(attempt.id)).toMatchObject({ score: 100 });
    }
    expect(orders.size).toBeGreaterThan(1);
  });

  it('refuse answers that they cannot have', async () => {
    const { own, attempt } = await placed();
    const many = Array.from({ length: 10_000 }, () => 1);
    const bodies = [[1], [1, 1, 1], [1, 4], [1, -1], [1, 1.5], ['1', '1'], [null, 1], many, { 0: 1, 1: 1 }, 'ab'];
    for (const places of bodies) expect((await own.save(attempt.id, 1, { places })).status).toBe(400);
    for (const body of [
      { choice: [1] },
      { text: 'citizens' },
      { places: [1, 1], text: 'x' },
      { places: [1, 1], choice: [1] },
    ])
      expect((await own.save(attempt.id, 1, body)).status).toBe(400);
    for (const places of [
      [5, 1, 1, 1],
      [1, 2, 3],
    ])
      expect((await own.save(attempt.id, 2, { places })).status).toBe(400);
    expect((await own.read(attempt.id)).questions.map((each) => each.answer.places)).toEqual([[], []]);
    // Positions that are given twice are an answer, and count for nothing.
    expect((await own.save(attempt.id, 2, { places: [1, 1, 1, 1] })).status).toBe(204);
    expect((await own.submit(attempt.id)).score).toBe(0);
  });

  it('keep the last of two tabs, clear an answer, and refuse one after the end', async () => {
    const { own, attempt } = await placed();
    const [matching] = attempt.questions;
    const right = placesOf(matching!, ['citizens', 'staff']); // the first
    await own.save(attempt.id, 1, { places: right });
    await Promise.all([
      own.save(attempt.id, 1, { places: [0, right[1]] }),
      own.save(attempt.id, 2, { places: [1, 2, 3, 4] }),
    ]);
    const read = await own.read(attempt.id);
    expect(read.questions.map(({ answer: { places } }) => places)).toEqual([
      [0, right[1]],
      [1, 2, 3, 4],
    ]);
    await own.save(attempt.id, 2, { places: [0, 0, 0, 0] });
    const result = await own.submit(attempt.id);
    expect(result.score).toBe(25);
    expect(await own.submit(attempt.id)).toEqual(result);
    expect(codeOf(await own.save(attempt.id, 1, { places: right }))).toEqual([409, 'learner.attempt_ended']);
    expect((await own.read(attempt.id)).score).toBe(25);
  });

  it('refuse places for other questions', async () => {
    const { course, learner } = await assessed();
    const own = api(learner.as, course);
    const { id } = await own.start();
    for (const number of [1, 2, 3, 4]) expect((await own.save(id, number, { places: [1] })).status).toBe(400);
  });
});

const WEIGHED = `:::quiz{type=gaps points=3}
The law of [1] was passed by [2].

1. 1998
   > Feedback of the year
2. Parliament
:::

:::quiz{type=number answer=42 hint="Ask a mouse"}
How many?
:::
`;

describe('questions with gaps and points', () => {
  async function weighed(settings: Settings = {}) {
    const { course, learner } = await assessed({ passMark: 50, review: 'answers', ...settings }, WEIGHED);
    const own = api(learner.as, course);
    return { own, attempt: await own.start() };
  }

  it('count points, and the pass mark is a share of them', async () => {
    const { own, attempt } = await weighed();
    expect(attempt.questions.map(({ points, earned }) => [points, earned])).toEqual([
      [3, null],
      [1, null],
    ]);
    expect(attempt.questions.map(({ hint }) => hint)).toEqual([null, 'Ask a mouse']);
    expect(JSON.stringify(attempt)).not.toMatch(/1998|Parliament|Feedback/);
    await own.save(attempt.id, 2, { text: '42' });
    expect(await own.submit(attempt.id)).toMatchObject({ score: 25, passed: false });
    const again = await own.start();
    await own.save(again.id, 1, { gaps: ['1998', 'the king'] });
    await own.save(again.id, 2, { text: '42' });
    const result = await own.submit(again.id);
    expect(result).toMatchObject({ score: 62, passed: true });
    expect(result.questions).toMatchObject([
      {
        earned: 1.5,
        right: 1,
        total: 2,
        rightAnswer: '[1] 1998 · [2] Parliament',
        prompts: [{ correct: true, feedbackHtml: expect.stringContaining('Feedback of the year') }, { correct: false }],
      },
      { earned: 1, correct: true },
    ]);
  });

  it('refuse answers that they cannot have', async () => {
    const { own, attempt } = await weighed();
    const long = 'x'.repeat(501);
    const bodies = [['a'], ['a', 'b', 'c'], [1, 2], [null, 'a'], [long, ''], Array(10_000).fill('a'), 'ab', { 0: 'a' }];
    for (const gaps of bodies) expect((await own.save(attempt.id, 1, { gaps })).status).toBe(400);
    for (const body of [{ text: '1998' }, { choice: [1] }, { places: [1, 1] }, { gaps: ['a', 'b'], text: 'c' }])
      expect((await own.save(attempt.id, 1, body)).status).toBe(400);
    expect((await own.save(attempt.id, 2, { gaps: ['42'] })).status).toBe(400);
    expect((await own.save(attempt.id, 1, { gaps: ['', ' '] })).status).toBe(204);
    expect((await own.read(attempt.id)).questions[0]?.answer.gaps).toEqual([]);
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
