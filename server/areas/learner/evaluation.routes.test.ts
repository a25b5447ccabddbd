import { EvaluationResults, readEvaluationResults } from '@officium/contract/evaluation-results';
import { answerEvaluation, MyEvaluation, readMyEvaluation, skipEvaluation } from '@officium/contract/evaluations';
import { readMyLearning } from '@officium/contract/learner';
import { listNotifications } from '@officium/contract/notifications';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { notifyEvaluations } from '#server/areas/notifications/reminder.repository.ts';
import { exportQuery } from '#server/personal-data/define.ts';
import { createTestApp, type As } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { evaluationPeople } from './personal-data.ts';
import { completeJourney, enrol, makeCourse, makeEvaluation, type TestCourse } from '#server/test/factories/courses.ts';

const test = await createTestApp();
const { db } = test.ctx;
const admin = await makePerson(test, { role: 'administrator' });

const QUESTIONS = [
  { id: 'useful', type: 'scale' as const, text: { en: 'How useful was it?', fr: 'Est-ce utile ?' } },
  {
    id: 'next',
    type: 'single' as const,
    text: { en: 'What next?' },
    options: { en: 'Rest\nWork', fr: 'Repos\nTravail' },
  },
  { id: 'parts', type: 'multiple' as const, text: { en: 'Which parts?' }, options: { en: 'One\nTwo\nThree' } },
  { id: 'more', type: 'text' as const, text: { en: 'What else?' } },
];
const useful = (step: number) => ({ question: 'useful', choice: [step] });
const more = (text: string) => ({ question: 'more', text });

const paramsOf = ({ slug, journey }: TestCourse) => ({ courseSlug: slug, journeySlug: journey.slug });
const codeOf = ({ status, body }: { status: number; body: unknown }) => [status, (body as { code?: string }).code];

async function evaluated(questions: Parameters<typeof makeEvaluation>[2] = QUESTIONS) {
  const course = await makeCourse(test);
  await makeEvaluation(test, course.journey, questions);
  const finisher = async () => {
    const person = await makePerson(test);
    await enrol(test, person, course.journey);
    await completeJourney(test, person, course.journey);
    return person;
  };
  const params = paramsOf(course);
  const answer = (as: As, answers: object[]) => test.call(answerEvaluation, as, { params, body: { answers } as never });
  const read = async (as: As, query?: Record<string, unknown>) =>
    await test.call(readMyEvaluation, as, { params, query });
  const results = async (query?: Record<string, unknown>) =>
    EvaluationResults.parse(
      (await test.call(readEvaluationResults, admin.as, { params: { key: course.journey.key }, query })).body,
    );
  /** Answers of as many new people. */
  const several = async (count: number, answers: (nth: number) => object[]) => {
    for (let nth = 0; nth < count; nth++) expect((await answer((await finisher()).as, answers(nth))).status).toBe(204);
  };
  return { course, params, finisher, answer, read, results, several };
}

describe('readMyEvaluation', () => {
  it('shows the questions in the language of the request, or the nearest one', async () => {
    const { finisher, read } = await evaluated();
    const { as } = await finisher();
    const found = MyEvaluation.parse((await read(as, { locale: 'fr' })).body);
    expect(found.state).toBe('open');
    expect(found.questions).toMatchObject([
      { id: 'useful', text: 'Est-ce utile ?', locale: 'fr', options: [] },
      { id: 'next', text: 'What next?', locale: 'en', options: ['Rest', 'Work'] },
      { id: 'parts', options: ['One', 'Two', 'Three'] },
      { id: 'more', type: 'text', options: [] },
    ]);
  });

  it('is for those who completed the journey, and 404 without questions', async () => {
    const { course, read, params } = await evaluated();
    const learner = await makePerson(test);
    await enrol(test, learner, course.journey);
    expect(codeOf(await read(learner.as))).toEqual([409, 'learner.not_completed']);
    expect(codeOf(await read((await makePerson(test)).as))).toEqual([409, 'learner.not_completed']);
    await makeEvaluation(test, course.journey, []);
    await completeJourney(test, learner, course.journey);
    expect(codeOf(await test.call(readMyEvaluation, learner.as, { params }))).toEqual([404, 'request.not_found']);
  });

  it('is offered in my learning until it is answered or skipped', async () => {
    const { course, finisher, answer, params } = await evaluated();
    const { as, id } = await finisher();
    const state = async () =>
      readMyLearning.replies[200].parse((await test.call(readMyLearning, as, {})).body).journeys[0]?.evaluation;
    expect(await state()).toBe('open');
    expect((await test.call(skipEvaluation, as, { params })).status).toBe(204);
    expect(await state()).toBe('skipped');
    expect((await answer(as, [useful(1)])).status).toBe(204);
    expect((await test.call(skipEvaluation, as, { params })).status).toBe(204);
    expect(await state()).toBe('answered');
    await db.updateTable('journey_enrolments').set({ completed_at: null }).where('user_id', '=', id).execute();
    expect(await state()).toBeNull();
    expect(codeOf(await test.call(skipEvaluation, as, { params }))).toEqual([409, 'learner.not_completed']);
    expect(course.slug).toBe(params.courseSlug);
  });
});

describe('every operation on an evaluation', () => {
  it('is 404 for journeys without one and hidden ones, and refuses those who have not completed the journey', async () => {
    const { course, params, answer, finisher } = await evaluated();
    const learner = await makePerson(test);
    await enrol(test, learner, course.journey);
    expect(codeOf(await answer(learner.as, [useful(1)]))).toEqual([409, 'learner.not_completed']);
    expect(codeOf(await test.call(skipEvaluation, learner.as, { params }))).toEqual([409, 'learner.not_completed']);
    const body = { answers: [useful(1)] };
    const gone = { courseSlug: course.slug, journeySlug: 'no-such-journey' };
    for (const endpoint of [readMyEvaluation, skipEvaluation, answerEvaluation] as const) {
      const sent = endpoint === answerEvaluation ? { params: gone, body } : { params: gone };
      expect((await test.call(endpoint, learner.as, sent)).status).toBe(404);
      expect((await test.call(endpoint, {}, sent)).status).toBe(401);
    }
    const { as } = await finisher();
    await makeEvaluation(test, course.journey, []);
    expect(codeOf(await answer(as, [useful(1)]))).toEqual([404, 'request.not_found']);
    expect(codeOf(await test.call(skipEvaluation, as, { params }))).toEqual([404, 'request.not_found']);
  });

  it('shows results only to those who may edit the journey', async () => {
    const { course, finisher } = await evaluated();
    const results = (as: As, key: string) => test.call(readEvaluationResults, as, { params: { key } });
    expect((await results((await finisher()).as, course.journey.key)).status).toBe(403);
    expect((await results({}, course.journey.key)).status).toBe(401);
    const unknown = '0193a7c2-5b1e-7d30-9f4a-2c6d8e0b1a57';
    expect(codeOf(await results(admin.as, unknown))).toEqual([404, 'request.not_found']);
  });
});

describe('answerEvaluation', () => {
  it('refuses nothing at all, unknown questions and answers that do not fit', async () => {
    const { finisher, answer } = await evaluated();
    const { as } = await finisher();
    expect(codeOf(await answer(as, []))).toEqual([400, 'learner.answer_missing']);
    expect(codeOf(await answer(as, [{ question: 'more', text: '  ' }]))).toEqual([400, 'learner.answer_missing']);
    const unfit = [
      { question: 'gone', choice: [1] },
      { question: 'useful', choice: [6] },
      { question: 'useful', choice: [1, 2] },
      { question: 'next', choice: [3] },
      { question: 'parts', choice: [1, 1] },
      { question: 'next', choice: [1], text: 'and more' },
      { question: 'more', choice: [1] },
    ];
    for (const each of unfit) expect(codeOf(await answer(as, [each]))).toEqual([409, 'learner.question_changed']);
    expect(codeOf(await answer(as, [useful(1), useful(2)]))).toEqual([409, 'learner.question_changed']);
    expect((await answer(as, [{ question: 'useful', choice: [0] }])).status).toBe(400);
    expect((await answer(as, [more('x'.repeat(1001))])).status).toBe(400);
  });

  it('counts one answer of each person, also of two at the same time', async () => {
    const { finisher, answer, several, results } = await evaluated();
    const { as } = await finisher();
    const both = await Promise.all([answer(as, [useful(1)]), answer(as, [useful(2)])]);
    expect(both.map(({ status }) => status).sort()).toEqual([204, 409]);
    expect(codeOf(await answer(as, [useful(3)]))).toEqual([409, 'learner.evaluation_answered']);
    await several(3, () => [useful(3)]);
    expect((await results()).people).toBe(0);
    await several(1, () => [useful(3)]);
    expect((await results()).people).toBe(5);
  });

  it('counts concurrent answers of different people', async () => {
    const { finisher, answer, results } = await evaluated();
    const people = await Promise.all(Array.from({ length: 10 }, finisher));
    const done = await Promise.all(people.map(({ as }, nth) => answer(as, [useful((nth % 5) + 1)])));
    expect(done.every(({ status }) => status === 204)).toBe(true);
    expect(await results()).toMatchObject({
      people: 10,
      asked: 10,
      questions: [{ answers: 10, counts: [2, 2, 2, 2, 2], mean: 3 }, {}, {}, {}],
    });
  });
});

describe('readEvaluationResults', () => {
  it('changes for every five people, with figures of each question and texts of enough people', async () => {
    const { results, several } = await evaluated();
    const all = (nth: number) => [
      useful(4),
      { question: 'next', choice: [(nth % 2) + 1] },
      { question: 'parts', choice: [1, 3] },
      ...(nth === 0 ? [more('Only one says this')] : []),
    ];
    await several(5, all);
    const first = await results();
    expect(first.questions).toMatchObject([
      { answers: 5, counts: [0, 0, 0, 5, 0], mean: 4, isCurrent: true },
      { answers: 5, counts: [3, 2], mean: null, options: ['Rest', 'Work'] },
      { answers: 5, counts: [5, 0, 5] },
      { answers: null, counts: null, texts: null },
    ]);
    await several(4, all);
    expect(await results()).toEqual({ ...first, asked: 9 });
    await several(1, () => [more('Another')]);
    expect((await results()).questions[0]?.answers).toBe(9);
    await several(5, (nth) => [more(`Text ${nth}`)]);
    expect((await results()).questions[3]?.texts?.toSorted()).toHaveLength(8);
  });

  it('keeps a question apart whose options changed, and is empty before publication', async () => {
    const { course, results, several } = await evaluated();
    await several(5, () => [{ question: 'next', choice: [2] }]);
    await makeEvaluation(test, course.journey, [{ ...QUESTIONS[1]!, options: { en: 'Rest\nWork\nPlay' } }]);
    expect((await results()).questions).toMatchObject([
      { options: ['Rest', 'Work', 'Play'], isCurrent: true, answers: 0, counts: [0, 0, 0] },
      { options: ['Rest', 'Work'], isCurrent: false, answers: 5, counts: [0, 5] },
    ]);
  });
});

describe('an answer', () => {
  const SECRET = 'the-words-of-one-person';

  /** Every value of every table that contains the text; sealed bytes are shown as hex. */
  async function tablesWith(text: string): Promise<string[]> {
    const { rows: tables } = await sql<{ name: string }>`
      select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p') and n.nspname not in ('pg_catalog', 'information_schema')
        and n.nspname = any(current_schemas(false))`.execute(db);
    const found = [];
    for (const { name } of tables) {
      const { rows } = await sql`select 1 from ${sql.table(name)} t where t::text like ${`%${text}%`} limit 1`.execute(
        db,
      );
      if (rows.length > 0) found.push(name);
    }
    return found;
  }

  it('is in no table while it waits, has no time and no order, and its size does not tell', async () => {
    const { course, finisher, answer, params } = await evaluated();
    const one = await finisher();
    const keyed = await test.call(answerEvaluation, one.as, {
      params,
      headers: { 'idempotency-key': 'of-the-evaluation' },
      body: { answers: [more(SECRET), useful(5)] },
    });
    expect(keyed.status).toBe(204);
    expect(await tablesWith(SECRET)).toEqual([]);
    expect(await tablesWith('of-the-evaluation')).toEqual([]);
    const size = async () =>
      (
        await db
          .selectFrom('evaluations')
          .select(sql<number>`length(waiting)`.as('size'))
          .where('journey_key', '=', course.journey.key)
          .executeTakeFirstOrThrow()
      ).size;
    const before = await size();
    expect((await answer((await finisher()).as, [more('x'.repeat(1000))])).status).toBe(204);
    expect(await size()).toBe(before);
    const { rows } = await sql<{ name: string; type: string }>`
      select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
      where attrelid = any(array['evaluation_people', 'evaluations', 'evaluation_counts', 'evaluation_texts']::regclass[])
        and attnum > 0 and not attisdropped`.execute(db);
    expect(rows.filter(({ type }) => type.startsWith('timestamp') || type === 'date')).toEqual([]);
  });

  it('is counted with four others in one transaction, in rows that lead to nobody', async () => {
    const { course, finisher, answer, several } = await evaluated();
    const one = await finisher();
    expect((await answer(one.as, [more(SECRET)])).status).toBe(204);
    await several(4, (nth) => [more(`Others ${nth}`)]);
    expect(await tablesWith(SECRET)).toEqual(['evaluation_texts']);
    const texts = await sql<{ written: string }>`
      select distinct xmin::text as written from evaluation_texts where journey_key = ${course.journey.key}`.execute(
      db,
    );
    expect(texts.rows).toHaveLength(1);
    const people = await sql<{ written: string }>`
      select xmin::text as written from evaluation_people where journey_key = ${course.journey.key} and user_id = ${one.id}`.execute(
      db,
    );
    expect(people.rows[0]?.written).not.toBe(texts.rows[0]?.written);
    const exported = await exportQuery(evaluationPeople, { id: one.id, email: null })!.execute(db); // it has columns
    expect(exported.rows).toEqual([{ outcome: 'answered', journey: `${course.slug}/${course.journey.slug}` }]);
  });
});

it('reminds of an evaluation once, a day after the journey, until it is answered', async () => {
  const { course, finisher, answer } = await evaluated();
  const { as, ...person } = await finisher();
  const told = async () =>
    listNotifications.replies[200]
      .parse((await test.call(listNotifications, as, {})).body)
      .notifications.filter(({ event }) => event === 'evaluation');
  await notifyEvaluations(db);
  expect(await told()).toEqual([]);
  await completeJourney(test, person, course.journey, new Date(Date.now() - 30 * 3_600_000));
  await notifyEvaluations(db);
  await notifyEvaluations(db);
  expect(await told()).toMatchObject([{ path: `/me/learning/${course.slug}/${course.journey.slug}/evaluation` }]);
  expect((await answer(as, [useful(2)])).status).toBe(204);
  expect(await told()).toEqual([]);
});
