import { z } from 'zod';
import { ASSESSMENT_REVIEWS } from './assessment.ts';
import { LocaleCode, SlugParam, Timestamp, Uuid } from './common.ts';
import { endpoint } from './endpoint.ts';
import { ANSWER_FIELDS } from './answers.ts';

/** Errors of these operations, with their status. */
export const assessmentErrors = {
  'learner.not_passed': { status: 409, message: 'Pass the assessment of this lesson to complete it.' },
  'learner.already_passed': { status: 409, message: 'You have passed this assessment.' },
  'learner.attempts_used': { status: 409, message: 'You have used all attempts at this assessment.' },
  'learner.attempt_ended': { status: 409, message: 'This attempt has ended. Answers can no longer be changed.' },
} as const;

const Question = z.object({
  number: z.int().min(1),
  type: z.enum(['choice', 'true-false', 'number', 'text']),
  multiple: z.boolean().describe('Several options are right'),
  questionHtml: z.string().describe('Sanitised HTML'),
  moreHtml: z.string().describe('Sanitised HTML between the question and its options; may be empty'),
  options: z.array(
    z.object({
      html: z.string().describe('Sanitised HTML; empty for true-or-false questions, whose first option is true'),
      correct: z.boolean().nullable().describe('null unless the review shows the right answers'),
      feedbackHtml: z.string().nullable().describe('Of chosen options, if the review shows it'),
    }),
  ),
  answer: z.object(ANSWER_FIELDS),
  correct: z.boolean().nullable().describe('null before the attempt ends, and unless the review shows it'),
  rightAnswer: z.string().nullable().describe('The right answer to type, if the review shows it'),
  feedbackHtml: z.string().nullable(),
});

export const AssessmentAttempt = z
  .object({
    id: Uuid,
    locale: LocaleCode.describe('Language of the questions'),
    passMark: z.int(),
    review: z.enum(ASSESSMENT_REVIEWS),
    startedAt: Timestamp,
    dueAt: Timestamp.nullable().describe('null: no time limit'),
    secondsLeft: z.int().nullable(),
    endedAt: Timestamp.nullable().describe('Submitted, or the time was up'),
    score: z.int().min(0).max(100).nullable().describe('Percent of right answers, rounded down; null before the end'),
    passed: z.boolean().nullable(),
    questions: z.array(Question).describe('Empty after the end if the review shows none'),
  })
  .meta({ id: 'AssessmentAttempt' });

const LessonPath = z.object({ courseSlug: SlugParam, journeySlug: SlugParam, lessonSlug: SlugParam });
const AttemptPath = LessonPath.extend({ attemptId: Uuid });
const QuestionNumber = z
  .string()
  .regex(/^[1-9]\d{0,2}$/, 'Must be the number of a question')
  .transform(Number);
const AT = '/me/courses/{courseSlug}/journeys/{journeySlug}/lessons/{lessonSlug}/attempts';
const common = { service: 'learner', auth: 'user', extension: true } as const;
const REFUSALS = ['learner.not_enrolled', 'learner.enrolment_pending', 'learner.enrolment_expired'] as const;

export const startAttempt = endpoint({
  ...common,
  name: 'startAttempt',
  method: 'POST',
  path: AT,
  summary: 'Start an attempt at the assessment of a lesson',
  description:
    'Draws the questions and sets the deadline. An open attempt is returned instead (200). A lesson without an assessment is 404.',
  params: LessonPath,
  body: z.object({ locale: LocaleCode.optional().describe('Language of the questions') }),
  replies: { 200: AssessmentAttempt, 201: AssessmentAttempt },
  errors: [...REFUSALS, 'learner.attempts_used', 'learner.already_passed', 'request.not_found'],
});

export const readAttempt = endpoint({
  ...common,
  name: 'readAttempt',
  method: 'GET',
  path: `${AT}/{attemptId}`,
  summary: 'Read my attempt at an assessment',
  description:
    'Questions come without their key until the attempt has ended; then as the review allows. An attempt past its deadline has ended.',
  params: AttemptPath,
  replies: { 200: AssessmentAttempt },
  errors: [...REFUSALS, 'request.not_found'],
});

export const saveAnswer = endpoint({
  ...common,
  name: 'saveAnswer',
  method: 'PUT',
  path: `${AT}/{attemptId}/answers/{number}`,
  summary: 'Save my answer to a question of an attempt',
  description: 'Replaces the former answer. Accepted until ten seconds after the deadline.',
  params: AttemptPath.extend({ number: QuestionNumber }),
  body: z.object(ANSWER_FIELDS),
  replies: { 204: null },
  errors: [...REFUSALS, 'learner.attempt_ended', 'request.not_found'],
});

export const submitAttempt = endpoint({
  ...common,
  name: 'submitAttempt',
  method: 'POST',
  path: `${AT}/{attemptId}/submission`,
  summary: 'Submit my attempt for grading (idempotent)',
  description: 'A passed attempt completes the lesson. Submitting again returns the same result.',
  params: AttemptPath,
  replies: { 200: AssessmentAttempt },
  errors: [...REFUSALS, 'request.not_found'],
});
