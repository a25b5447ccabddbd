import { LEAST_PUBLISHED } from '@officium/contract/decisions';
import type { AssessmentQuestion } from '#server/text/assessment-questions.ts';
import { earnedIn, pointsIn } from './attempt.policy.ts';
import type { StoredAnswers, StoredMarks } from './attempt.rows.ts';

export type FinishedAttempt = {
  locale: string;
  questions: AssessmentQuestion[];
  answers: StoredAnswers;
  marks?: StoredMarks;
};

/**
 * The sums of one question: `right` is the sum of what `people` answered right, each from 0 to 1. `rest` is the share of
 * the points of the other questions of the attempt, of which attempts with one question have none.
 */
export type QuestionTally = {
  question: AssessmentQuestion;
  locale: string;
  people: number;
  right: number;
  pairs: { count: number; right: number; rightSquared: number; rest: number; restSquared: number; restOfRight: number };
};

/** Equal for a question as different people saw it. The order of its options is not part of it. */
export function identityOf(
  { type, questionHtml, moreHtml, prompts, options }: AssessmentQuestion,
  locale: string,
): string {
  const texts = [options.map(({ html }) => html).toSorted(), ...(prompts?.map(({ html }) => html) ?? [])];
  return JSON.stringify([locale, type, questionHtml, moreHtml, ...texts]);
}

/** Adds an attempt to the sums of its questions. */
export function addAttempt(
  tallies: Map<string, QuestionTally>,
  { locale, questions, answers, marks = {} }: FinishedAttempt,
): void {
  const earned = questions.map((question, at) => earnedIn(question, answers[at + 1], marks[at + 1]) ?? 0);
  const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0);
  const [allEarned, allPoints] = [sumOf(earned), sumOf(questions.map(pointsIn))];
  for (const [at, question] of questions.entries()) {
    const identity = identityOf(question, locale);
    const tally = tallies.get(identity) ?? emptyTally(question, locale);
    tallies.set(identity, tally);
    const own = earned[at] ?? 0;
    const right = own / pointsIn(question);
    tally.people += 1;
    tally.right += right;
    if (questions.length < 2) continue;
    const rest = (allEarned - own) / (allPoints - pointsIn(question));
    tally.pairs.count += 1;
    tally.pairs.right += right;
    tally.pairs.rightSquared += right * right;
    tally.pairs.rest += rest;
    tally.pairs.restSquared += rest * rest;
    tally.pairs.restOfRight += right * rest;
  }
}

function emptyTally(question: AssessmentQuestion, locale: string): QuestionTally {
  return {
    question,
    locale,
    people: 0,
    right: 0,
    pairs: { count: 0, right: 0, rightSquared: 0, rest: 0, restSquared: 0, restOfRight: 0 },
  };
}

/**
 * How many of the newest people are not counted yet. People are added as many at once as figures need: the difference of two
 * readings would otherwise tell what the one person answered who finished between them.
 */
export function uncountedOf(people: number): number {
  return people < LEAST_PUBLISHED ? 0 : people % LEAST_PUBLISHED;
}

/** Percent of right answers, with one decimal; parts of an answer count. */
export function facilityOf({ people, right }: QuestionTally): number | null {
  return people === 0 ? null : Math.round((1000 * right) / people) / 10;
}

/** The correlation of a right answer with the rest of the attempt. Null if either is the same for everybody. */
export function discriminationOf({
  pairs: { count, right, rightSquared, rest, restSquared, restOfRight },
}: QuestionTally): number | null {
  const varianceOfRight = count * rightSquared - right * right;
  const varianceOfRest = count * restSquared - rest * rest;
  if (varianceOfRight <= 1e-9 || varianceOfRest <= 1e-9) return null;
  const correlation = (count * restOfRight - right * rest) / Math.sqrt(varianceOfRight * varianceOfRest);
  return Math.round(100 * Math.max(-1, Math.min(1, correlation))) / 100;
}
