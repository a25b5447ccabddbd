import type { Locale } from '@officium/contract/common';
import { LEAST_PUBLISHED } from '@officium/contract/decisions';
import { choicesOf, type EvaluationQuestion, optionLines } from '@officium/contract/evaluation';
import type { EvaluationResults } from '@officium/contract/evaluation-results';
import type { MyEvaluation } from '@officium/contract/evaluations';
import { pickText } from '#server/text/localised.ts';
import { shapeOf } from './evaluation.policy.ts';
import type { CountRow, ResultsRow } from './evaluation-results.repository.ts';

/** A question in one language, or the nearest one that it has. */
function toQuestion({ type, text, options }: EvaluationQuestion, locale: Locale) {
  const shown = pickText(text, locale);
  return { type, text: shown.text, locale: shown.locale, options: optionLines(pickText(options, shown.locale).text) };
}

export function toMyQuestions(evaluation: readonly EvaluationQuestion[], locale: Locale): MyEvaluation['questions'] {
  return evaluation.map((question) => ({ id: question.id, ...toQuestion(question, locale) }));
}

/** A counted question with its texts; `texts` is empty for other types. */
export type CountedQuestion = CountRow & { texts: string[] };

/** Withholds questions with few answers. */
export function toResults(
  { evaluation, asked, people }: ResultsRow,
  counted: readonly CountedQuestion[],
  locale: Locale,
): EvaluationResults {
  const isOf = (row: CountRow, question: EvaluationQuestion) =>
    row.question_id === question.id && row.shape === shapeOf(question);
  const current = evaluation.map((question) => ({ question, row: counted.find((row) => isOf(row, question)) }));
  const former = counted.filter((row) => !evaluation.some((question) => isOf(row, question)));
  return {
    asked,
    people,
    questions: [
      ...current.map(({ question, row }) => toResult(question, row, { locale, isCurrent: true })),
      ...former.map((row) => toResult(row.question, row, { locale, isCurrent: false })),
    ],
  };
}

function toResult(
  question: EvaluationQuestion,
  row: CountedQuestion | undefined,
  { locale, isCurrent }: { locale: Locale; isCurrent: boolean },
): EvaluationResults['questions'][number] {
  const answers = row?.answers ?? 0;
  const shown = { ...toQuestion(question, locale), isCurrent };
  if (answers > 0 && answers < LEAST_PUBLISHED)
    return { ...shown, answers: null, counts: null, mean: null, texts: null };
  const counts = Array.from({ length: choicesOf(question) }, (_, at) => row?.counts[at + 1] ?? 0);
  const sum = counts.reduce((total, count, at) => total + count * (at + 1), 0);
  const mean = question.type === 'scale' && answers > 0 ? Math.round((100 * sum) / answers) / 100 : null;
  return { ...shown, answers, counts, mean, texts: row?.texts ?? [] };
}
