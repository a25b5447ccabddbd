import type { Locale } from '@officium/contract/common';
import type { ReplyOf } from '@officium/contract/endpoint';
import type { listMarking, readMarking } from '@officium/contract/marking';
import { pickText } from '#server/text/localised.ts';
import { earnedIn, markedByPeople, pointsIn } from './attempt.policy.ts';
import type { MarkedRow, MarkingRow } from './marking.rows.ts';

export function toMarkedAttempt(row: MarkedRow, locale: Locale): ReplyOf<typeof listMarking>['attempts'][number] {
  return {
    id: row.id,
    learner: { id: row.learner_id, name: row.learner_name },
    course: { id: row.course_id, title: pickText(row.course_title, locale).text },
    lesson: { title: pickText(row.lesson_title, locale).text },
    submittedAt: row.submitted_at.toISOString(),
    score: row.score,
    passed: row.passed,
  };
}

/** `sign` lets the pictures and recordings of a text load. */
export function toMarking(
  row: MarkingRow,
  { locale, sign }: { locale: Locale; sign: (html: string) => string },
): ReplyOf<typeof readMarking> {
  const { questions, answers, marks } = row;
  const numbers = markedByPeople(row);
  const others = questions.flatMap((question, at) => (numbers.includes(at + 1) ? [] : [{ question, number: at + 1 }]));
  const earned = others.reduce(
    (sum, { question, number }) => sum + (earnedIn(question, answers[number], undefined) ?? 0),
    0,
  );
  return {
    ...toMarkedAttempt(row, locale),
    version: row.mark_version,
    locale: row.locale as Locale, // the language of a body
    passMark: row.pass_mark,
    others: {
      earned: Math.round(100 * earned) / 100,
      points: others.reduce((sum, { question }) => sum + pointsIn(question), 0),
    },
    questions: numbers.flatMap((number) => {
      const question = questions[number - 1];
      if (!question) return [];
      return {
        number,
        questionHtml: sign(question.questionHtml),
        moreHtml: sign(question.moreHtml),
        modelAnswerHtml: question.feedbackHtml && sign(question.feedbackHtml),
        criteria: (question.criteria ?? []).map(({ html, points }) => ({ html: sign(html), points })),
        points: pointsIn(question),
        words: question.words ?? null,
        answer: answers[number]?.text ?? '',
        mark: marks[number] ?? null,
      };
    }),
  };
}
