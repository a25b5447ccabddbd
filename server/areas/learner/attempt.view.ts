import { typedMatch } from '#server/text/blocks/quiz-answer.ts';
import type { readAttempt } from '@officium/contract/assessments';
import type { Locale } from '@officium/contract/common';
import type { ReplyOf } from '@officium/contract/endpoint';
import type { AssessmentQuestion } from '#server/text/assessment-questions.ts';
import { earnedIn, grade, pointsIn, verdictOf } from './attempt.policy.ts';
import type { AttemptRow, StoredAnswer, StoredMark } from './attempt.rows.ts';

type Attempt = ReplyOf<typeof readAttempt>;
type Question = Attempt['questions'][number];

/** `sign` lets the pictures and recordings of a text load. */
export function toAttempt(row: AttemptRow, sign: (html: string) => string): Attempt {
  const endedAt = row.submitted_at ?? (row.is_overdue ? row.due_at : null);
  // Nothing changes after the deadline, so the result of an attempt that a job has yet to close is known.
  const result = endedAt === null ? null : grade(row);
  const shown = endedAt === null || row.review !== 'none' ? row.questions : [];
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
      if (endedAt === null) return open;
      // Marks count once all are given.
      const mark = row.passed === null ? undefined : row.marks[at + 1];
      return withResult(open, question, { answer, mark, review: row.review, sign });
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
    prompts: (question.prompts ?? []).map(({ html }) => ({
      html: sign(html),
      correct: null,
      option: null,
      feedbackHtml: null,
    })),
    options: question.options.map(({ html }) => ({
      html: sign(html),
      correct: null,
      position: null,
      feedbackHtml: null,
    })),
    answer: { choice: [], text: '', places: [], gaps: [], ...answer },
    words: question.words ?? null,
    criteria: [],
    comment: null,
    hint: question.hint ?? null,
    points: pointsIn(question),
    earned: null,
    correct: null,
    right: null,
    total: null,
    rightAnswer: null,
    feedbackHtml: null,
  };
}

type Review = {
  answer: StoredAnswer | undefined;
  mark: StoredMark | undefined;
  review: AttemptRow['review'];
  sign: (html: string) => string;
};

/** An open question shows its criteria, points and comment with the mark, and its model answer as the review allows. */
function withMark(open: Question, question: AssessmentQuestion, { answer, mark, review, sign }: Review): Question {
  const earned = earnedIn(question, answer, mark);
  if (earned === undefined) return open;
  const criteria = (question.criteria ?? []).map(({ html, points }, at) => ({
    html: sign(html),
    points,
    earned: mark?.points[at] ?? 0,
  }));
  return {
    ...open,
    criteria,
    comment: mark?.comment || null,
    earned,
    correct: earned === pointsIn(question),
    feedbackHtml: review === 'answers' && question.feedbackHtml !== null ? sign(question.feedbackHtml) : null,
  };
}

function withResult(open: Question, question: AssessmentQuestion, reviewed: Review): Question {
  const { answer, mark, review, sign } = reviewed;
  if (question.type === 'open') return withMark(open, question, reviewed);
  const { isCorrect: correct = false, right = 0, total = null, prompts = [] } = verdictOf(question, answer) ?? {};
  const isRight = (at: number) => prompts.some(({ prompt, isCorrect }) => prompt === at + 1 && isCorrect);
  const earned = Math.round(100 * (earnedIn(question, answer, mark) ?? 0)) / 100;
  const shown = open.prompts.map((prompt, at) => ({ ...prompt, correct: isRight(at) }));
  const result = { ...open, prompts: shown, correct, right, total, earned };
  if (review !== 'answers') return result;
  const signed = (html: string | null) => html && sign(html);
  return {
    ...result,
    prompts: shown.map((prompt, at) => {
      const isAnswered = prompts.some((each) => each.prompt === at + 1);
      const feedbackHtml = signed((isAnswered && question.prompts?.[at]?.feedbackHtml) || null);
      return { ...prompt, option: question.places?.[at] ?? null, feedbackHtml };
    }),
    options: open.options.map((option, at) => {
      const own = question.options[at];
      const isPlaced = question.type === 'ordering' && answer !== undefined;
      const isChosen = isPlaced || answer?.choice.includes(at + 1);
      return {
        ...option,
        correct: question.places ? null : (own?.isRight ?? null),
        position: (question.type === 'ordering' && question.places?.[at]) || null,
        feedbackHtml: signed((isChosen && own?.feedbackHtml) || null),
      };
    }),
    rightAnswer: question.gaps?.map((gap, at) => `[${at + 1}] ${gap}`).join(' · ') ?? question.key['answer'] ?? null,
    feedbackHtml: signed([typedFeedback(question, answer), question.feedbackHtml].filter(Boolean).join('') || null),
  };
}

/** The feedback for the typed answer, if the text has some. */
function typedFeedback({ type, typed = [], key }: AssessmentQuestion, answer: StoredAnswer | undefined): string | null {
  return (answer && typedMatch({ type, typed }, key, answer.text)?.feedbackHtml) ?? null;
}
