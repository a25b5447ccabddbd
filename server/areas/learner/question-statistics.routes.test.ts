import { QuestionStatistics, readQuestionStatistics } from '@officium/contract/question-statistics';
import { describe, expect, it } from 'vitest';
import { createTestApp } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { makeAssessment, makeAttempt, makeCourse } from '#server/test/factories/courses.ts';
import { assignRoles } from '#server/test/factories/roles.ts';
import type { AssessmentQuestion } from '#server/text/assessment-questions.ts';
import { addAttempt, discriminationOf, facilityOf, type QuestionTally } from './question-statistics.policy.ts';

const test = await createTestApp();
const admin = await makePerson(test, { role: 'administrator' });

const questionOf = (text: string): AssessmentQuestion => ({
  quiz: text,
  type: 'number',
  isMultiple: false,
  questionHtml: `${text} <em>how</em> many?`,
  moreHtml: '',
  options: [],
  feedbackHtml: null,
  key: { answer: '1' },
});
const [ONE, TWO, THREE] = ['One', 'Two', 'Three'].map(questionOf) as [
  AssessmentQuestion,
  AssessmentQuestion,
  AssessmentQuestion,
];
const right = { choice: [], text: '1' };
const wrong = { choice: [], text: '2' };

async function assessed() {
  const course = await makeCourse(test);
  const lesson = course.journey.lessons[0]!; // made with the course
  await makeAssessment(test, lesson, [ONE, TWO]);
  return { course, lesson };
}

type Answered = { questions?: AssessmentQuestion[]; answers: object; person?: { id: string } };

/** A finished attempt of a new person, unless one is given. */
async function finish(lesson: { key: string }, { questions = [ONE, TWO], answers, person }: Answered) {
  const own = person ?? (await makePerson(test));
  const id = await makeAttempt(test, own, lesson, questions);
  const values = { answers: JSON.stringify(answers), submitted_at: new Date(), score: 0, passed: false };
  await test.ctx.db.updateTable('assessment_attempts').set(values).where('id', '=', id).execute();
  return own;
}

const read = async ({ key }: { key: string }, as = admin.as) =>
  QuestionStatistics.parse((await test.call(readQuestionStatistics, as, { params: { key } })).body);

describe('readQuestionStatistics', () => {
  it('counts the first finished attempt of each person, and unanswered questions as wrong', async () => {
    const { lesson } = await assessed();
    const person = await finish(lesson, { answers: { 1: right, 2: right } });
    await finish(lesson, { answers: { 1: wrong, 2: wrong }, person });
    await finish(lesson, { answers: { 1: right, 2: right } });
    await finish(lesson, { answers: { 1: right } });
    await finish(lesson, { answers: { 2: wrong } });
    await finish(lesson, { answers: {} });
    await makeAttempt(test, await makePerson(test), lesson, [ONE, TWO]);
    expect(await read(lesson)).toEqual({
      people: 5,
      questions: [
        { question: 'One how many?', locale: 'en', isCurrent: true, people: 5, facility: 60, discrimination: 0.67 },
        { question: 'Two how many?', locale: 'en', isCurrent: true, people: 5, facility: 40, discrimination: 0.67 },
      ],
    });
  });

  it('withholds the figures of fewer than five people, and lists former questions last', async () => {
    const { lesson } = await assessed();
    for (let count = 0; count < 4; count++) await finish(lesson, { answers: { 1: right } });
    expect(await read(lesson)).toMatchObject({ people: null, questions: [{ people: null, facility: null }, {}] });
    await finish(lesson, { questions: [THREE, ONE], answers: { 1: right, 2: right } });
    const { people, questions } = await read(lesson);
    expect([people, questions]).toMatchObject([
      5,
      [
        { isCurrent: true, people: 5, facility: 100, discrimination: null },
        { isCurrent: true, people: null, facility: null, discrimination: null },
        { question: 'Three how many?', isCurrent: false, people: null },
      ],
    ]);
  });

  it('adds people five at once, so that two readings do not tell what one person answered', async () => {
    const { lesson } = await assessed();
    for (let count = 0; count < 5; count++) await finish(lesson, { answers: {} });
    const before = await read(lesson);
    for (let count = 0; count < 4; count++) {
      await finish(lesson, { answers: { 1: right } });
      expect(await read(lesson)).toEqual(before);
    }
    await finish(lesson, { answers: {} });
    expect(await read(lesson)).toMatchObject({ people: 10, questions: [{ people: 10, facility: 40 }, {}] });
  });

  it('adds nobody in the middle when an earlier attempt is marked', async () => {
    const { lesson } = await assessed();
    for (let count = 0; count < 3; count++) await finish(lesson, { answers: {} });
    const waiting = await finish(lesson, { answers: { 1: right } });
    const mark = async (result: { score: number; passed: boolean } | { score: null; passed: null }) =>
      await test.ctx.db.updateTable('assessment_attempts').set(result).where('user_id', '=', waiting.id).execute();
    await mark({ score: null, passed: null });
    expect((await read(lesson)).people).toBeNull();
    for (let count = 0; count < 2; count++) await finish(lesson, { answers: {} });
    const before = await read(lesson);
    await mark({ score: 0, passed: false });
    const after = await read(lesson);
    expect([before.people, after.people]).toEqual([null, 5]);
    expect(after.questions[0]).toMatchObject({ people: 5, facility: 20 });
  });

  it('is empty without attempts', async () => {
    expect(await read((await assessed()).lesson)).toEqual({ people: 0, questions: [] });
  });

  it('tells no keys, and serves authors of the course only', async () => {
    const { course, lesson } = await assessed();
    const params = { key: lesson.key };
    for (let count = 0; count < 5; count++) await finish(lesson, { answers: { 1: right } });
    expect(JSON.stringify(await read(lesson))).not.toMatch(/answer"|"key"/);
    const statusOf = async (role: 'author' | 'translator' | undefined, id: string) => {
      const person = await makePerson(test);
      if (role) await assignRoles(test, person, [{ role, kind: 'course', id }]);
      return (await test.call(readQuestionStatistics, person.as, { params })).status;
    };
    const other = await makeCourse(test);
    expect([
      await statusOf('author', course.id),
      await statusOf('translator', course.id),
      await statusOf('author', other.id),
      await statusOf(undefined, course.id),
    ]).toEqual([200, 403, 404, 403]);
    const missing = await test.call(readQuestionStatistics, admin.as, { params: { key: 'nothing' } });
    expect([missing.status, missing.body.code]).toEqual([404, 'request.not_found']);
  });
});

const ORDER: AssessmentQuestion = {
  ...ONE,
  type: 'ordering',
  options: ['a', 'b', 'c'].map((html) => ({ html, isRight: false, feedbackHtml: null })),
  places: [1, 2, 3],
  key: {},
};

describe('the figures', () => {
  it('count partly right answers in part, in whatever order the items were shown', () => {
    const tallies = new Map<string, QuestionTally>();
    const moved = { ...ORDER, options: ORDER.options.toReversed(), places: [3, 2, 1] };
    const answered = (places: number[]) => ({ 1: { choice: [], text: '', places } });
    addAttempt(tallies, { locale: 'en', questions: [ORDER], answers: answered([1, 2, 3]) });
    addAttempt(tallies, { locale: 'en', questions: [moved], answers: answered([1, 3, 2]) });
    expect([...tallies.values()].map((each) => [each.people, facilityOf(each)])).toEqual([[2, 75]]);
  });

  const tally = (answers: object[], questions = [ONE, TWO, THREE]) => {
    const tallies = new Map<string, QuestionTally>();
    for (const each of answers) addAttempt(tallies, { locale: 'en', questions, answers: each });
    return [...tallies.values()];
  };

  it('weigh the other questions by their points', () => {
    const heavy = { ...TWO, points: 3 };
    const answers = [{ 1: right, 2: right }, { 1: right, 2: right }, { 3: right }, {}];
    const [first] = tally(answers, [ONE, heavy, THREE]);
    // The others have four points left: whoever answers right gets three of them, the rest one or none.
    expect(first && discriminationOf(first)).toBe(0.96);
  });

  it('are −1 for a question that only those who do badly answer right', () => {
    const [first] = tally([{ 1: right }, { 1: right }, { 2: right, 3: right }, { 2: right, 3: right }]);
    expect(first && [facilityOf(first), discriminationOf(first)]).toEqual([50, -1]);
  });

  it('have no discrimination where everybody does the same, or with a single question', () => {
    expect(tally([{ 1: right }, { 1: right }]).map(discriminationOf)).toEqual([null, null, null]);
    expect(tally([{ 1: right }, {}], [ONE]).map(discriminationOf)).toEqual([null]);
  });
});
