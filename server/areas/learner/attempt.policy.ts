import type { Assessment } from '@officium/contract/assessment';
import type { AssessmentQuestion } from '#server/text/assessment-questions.ts';
import { checkAnswer, type Verdict } from '#server/text/blocks/quiz-answer.ts';
import type { AttemptRow, StoredAnswer } from './attempt.rows.ts';

/** Returns a number from 0 up to, and not including, `below`. */
export type Random = (below: number) => number;

/** Draws the questions of an attempt and shuffles them, if the settings say so. Options of true-or-false keep their order. */
export function drawQuestions(
  questions: readonly AssessmentQuestion[],
  { draw, shuffle }: Pick<Assessment, 'draw' | 'shuffle'>,
  random: Random,
): AssessmentQuestion[] {
  const places = shuffled([...questions.keys()], random).slice(0, draw ?? questions.length);
  const order = shuffle ? places : places.toSorted((one, other) => one - other);
  return order.flatMap((at) => {
    const question = questions[at];
    if (!question) return [];
    const isMoved = shuffle && question.type === 'choice';
    return { ...question, options: isMoved ? shuffled(question.options, random) : question.options };
  });
}

/** Fisher–Yates. */
function shuffled<T>(items: readonly T[], random: Random): T[] {
  const left = [...items];
  return items.flatMap(() => left.splice(random(left.length), 1));
}

/** True for an answer that the question can have: known options, only one if only one is right, or a text. */
export function canAnswer(question: AssessmentQuestion, { choice, text }: StoredAnswer): boolean {
  const isTyped = question.type === 'number' || question.type === 'text';
  if (isTyped) return choice.length === 0;
  const isKnown = choice.every((option) => option <= question.options.length);
  return text === '' && isKnown && (question.isMultiple || choice.length <= 1);
}

export function isEmpty({ choice, text }: StoredAnswer): boolean {
  return choice.length === 0 && text.trim() === '';
}

/** Undefined for a question without an answer, which counts as wrong. */
export function verdictOf(question: AssessmentQuestion, answer: StoredAnswer | undefined): Verdict | undefined {
  return answer && checkAnswer(question, question.key, answer);
}

/** The score in whole percent, rounded down, so that it reaches the pass mark exactly when the attempt passes. */
export function grade({ questions, answers, pass_mark }: Pick<AttemptRow, 'questions' | 'answers' | 'pass_mark'>): {
  score: number;
  passed: boolean;
} {
  const right = questions.filter((question, at) => verdictOf(question, answers[at + 1])?.isCorrect).length;
  const score = questions.length === 0 ? 0 : Math.floor((100 * right) / questions.length);
  return { score, passed: score >= pass_mark };
}
