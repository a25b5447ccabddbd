import type { readAttempt } from '@officium/contract/assessments';
import type { Locale } from '@officium/contract/common';
import type { ReplyOf } from '@officium/contract/endpoint';
import type { AssessmentQuestion } from '#server/text/assessment-questions.ts';
import { grade, verdictOf } from './attempt.policy.ts';
import type { AttemptRow, StoredAnswer } from './attempt.rows.ts';

type Attempt = ReplyOf<typeof readAttempt>;
type Question = Attempt['questions'][number];

/** `sign` lets the pictures and recordings of a text load. */
export function toAttempt(row: AttemptRow, sign: (html: string) => string): Attempt {
  const endedAt = row.submitted_at ?? (row.is_overdue ? row.due_at : null);
  // Nothing changes after the deadline, so the result of an attempt that a job has yet to close is known.
  const result = endedAt === null ? null : grade(row);
  const shown = result === null || row.review !== 'none' ? row.questions : [];
  return {
    id: row.id,
    locale: row.locale as Locale, // the language of a body
    passMark: row.pass_mark,
    review: row.review,
    startedAt: row.started_at.toISOString(),
    dueAt: row.due_at && row.due_at.toISOString(),
    secondsLeft: endedAt === null ? row.seconds_left : null,
    endedAt: endedAt && endedAt.toISOString(),
    score: row.score ?? result?.score ?? null,
    passed: row.passed ?? result?.passed ?? null,
    questions: shown.map((question, at) => {
      const answer = row.answers[at + 1];
      const open = toOpenQuestion(question, at + 1, answer, sign);
      return result === null ? open : withResult(open, question, { answer, review: row.review, sign });
    }),
  };
}

/** A question without its key. */
function toOpenQuestion(
  question: AssessmentQuestion,
  number: number,
  answer: StoredAnswer | undefined,
  sign: (html: string) => string,
): Question {
  return {
    number,
    type: question.type,
    multiple: question.isMultiple,
    questionHtml: sign(question.questionHtml),
    moreHtml: sign(question.moreHtml),
    options: question.options.map(({ html }) => ({ html: sign(html), correct: null, feedbackHtml: null })),
    answer: answer ?? { choice: [], text: '' },
    correct: null,
    rightAnswer: null,
    feedbackHtml: null,
  };
}

type Review = { answer: StoredAnswer | undefined; review: AttemptRow['review']; sign: (html: string) => string };

function withResult(open: Question, question: AssessmentQuestion, { answer, review, sign }: Review): Question {
  const correct = verdictOf(question, answer)?.isCorrect ?? false;
  if (review !== 'answers') return { ...open, correct };
  const signed = (html: string | null) => html && sign(html);
  return {
    ...open,
    correct,
    options: open.options.map((option, at) => {
      const own = question.options[at];
      const isChosen = answer?.choice.includes(at + 1);
      return {
        ...option,
        correct: own?.isRight ?? null,
        feedbackHtml: signed((isChosen && own?.feedbackHtml) || null),
      };
    }),
    rightAnswer: question.key['answer'] ?? null,
    feedbackHtml: signed(question.feedbackHtml),
  };
}
