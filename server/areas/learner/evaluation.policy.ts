import { choicesOf, type Evaluation, type EvaluationQuestion } from '@officium/contract/evaluation';
import type { Batch, EvaluationAnswer } from './evaluation.rows.ts';

export const EMPTY_BATCH: Batch = { people: 0, questions: {} };

/** Answers are counted together while a question keeps its type and number of options. */
export function shapeOf(question: EvaluationQuestion): string {
  return `${question.type}:${choicesOf(question)}`;
}

const isGiven = ({ choice, text }: EvaluationAnswer) => choice.length > 0 || text !== '';

/** The answers without empty ones; undefined if one does not fit its question, which may have changed. */
export function fittingAnswers(
  evaluation: Evaluation,
  answers: readonly EvaluationAnswer[],
): EvaluationAnswer[] | undefined {
  const given = answers.filter(isGiven);
  const isOnce = new Set(given.map(({ question }) => question)).size === given.length;
  return isOnce && given.every((answer) => fits(evaluation, answer)) ? given : undefined;
}

function fits(evaluation: Evaluation, { question: id, choice, text }: EvaluationAnswer): boolean {
  const question = evaluation.find((each) => each.id === id);
  if (!question) return false;
  if (question.type === 'text') return choice.length === 0;
  const most = question.type === 'multiple' ? choicesOf(question) : 1;
  const isDistinct = new Set(choice).size === choice.length;
  return text === '' && isDistinct && choice.length <= most && choice.every((each) => each <= choicesOf(question));
}

/** Adds the answers of one person to a batch. */
export function addAnswers(batch: Batch, evaluation: Evaluation, answers: readonly EvaluationAnswer[]): Batch {
  const questions = structuredClone(batch.questions);
  for (const { question: id, choice, text } of answers) {
    const question = evaluation.find((each) => each.id === id);
    if (!question) continue;
    const shape = shapeOf(question);
    const key = `${id} ${shape}`;
    const count = questions[key] ?? { question, shape, answers: 0, counts: {}, texts: [] };
    questions[key] = count;
    count.question = question;
    count.answers += 1;
    for (const each of choice) count.counts[each] = (count.counts[each] ?? 0) + 1;
    // Sorted, because the order of arrival would tell whose text it is.
    if (text !== '') count.texts = [...count.texts, text].sort();
  }
  return { people: batch.people + 1, questions };
}

/** The smallest stored size of a batch, in bytes. Larger ones double it, so that the size tells little about texts. */
const PADDED = 16_384;

/** A batch as padded JSON. */
export function writeBatch(batch: Batch): Buffer {
  const json = Buffer.from(JSON.stringify(batch));
  let size = PADDED;
  while (size < json.length) size *= 2;
  return Buffer.concat([json, Buffer.alloc(size - json.length, ' ')]);
}

export function readBatch(stored: Buffer): Batch {
  return JSON.parse(stored.toString()) as Batch; // `writeBatch` wrote it
}
