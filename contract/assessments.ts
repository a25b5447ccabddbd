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
  'learner.attempt_waits': { status: 409, message: 'Your last attempt is waiting to be marked.' },
} as const;

const Question = z.object({
  number: z.int().min(1),
  type: z.enum(['choice', 'true-false', 'number', 'text', 'matching', 'ordering', 'gaps', 'open']),
  multiple: z.boolean().describe('Several options are right'),
  questionHtml: z.string().describe('Sanitised HTML'),
  moreHtml: z.string().describe('Sanitised HTML between the question and its options; may be empty'),
  prompts: z
    .array(
      z.object({
        html: z.string().describe('Sanitised HTML; for gaps their number, as `[1]`'),
        correct: z.boolean().nullable().describe('null before the attempt ends, and unless the review shows it'),
        option: z.int().nullable().describe('Number of the right option, if the review shows it; 0: none is'),
        feedbackHtml: z.string().nullable().describe('Of answered prompts, if the review shows it'),
      }),
    )
    .describe('The texts to match with options, or the gaps; empty for other types'),
  options: z.array(
    z.object({
      html: z.string().describe('Sanitised HTML; empty for true-or-false questions, whose first option is true'),
      correct: z.boolean().nullable().describe('null unless the review shows the right answers'),
      position: z.int().nullable().describe('Right position of an item to order, if the review shows it'),
      feedbackHtml: z.string().nullable().describe('Of chosen options, if the review shows it'),
    }),
  ),
  answer: z.object(ANSWER_FIELDS),
  words: z.int().nullable().describe('The most words that an open answer should have'),
  criteria: z
    .array(z.object({ html: z.string().describe('Sanitised HTML'), points: z.int(), earned: z.number() }))
    .describe('Of an open question, once the attempt is marked; empty if it is marked as a whole'),
  comment: z.string().nullable().describe('Of the person who marked an open answer; plain text'),
  hint: z.string().nullable().describe('Plain text'),
  points: z.int().min(1),
  earned: z.number().nullable().describe('Points of the answer, with two decimals; null as for correct'),
  correct: z.boolean().nullable().describe('null before the attempt ends, and unless the review shows it'),
  right: z
    .int()
    .nullable()
    .describe(
      'Right parts of the answer: pairs, gaps, or items that directly follow the right one; null as for correct',
    ),
  total: z.int().nullable().describe('Parts of the question, if it was answered'),
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
    score: z
      .int()
      .min(0)
      .max(100)
      .nullable()
      .describe(
        'Percent of the points, rounded down; each right part of an answer counts; null before the end and while an open answer waits to be marked',
      ),
    passed: z.boolean().nullable().describe('null as for score'),
    questions: z
      .array(Question)
      .describe('Empty after the end if the review shows none, or of an attempt before the last twenty'),
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
  errors: [
    ...REFUSALS,
    'learner.attempts_used',
    'learner.already_passed',
    'learner.attempt_waits',
    'request.not_found',
  ],
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
  description:
    'A passed attempt completes the lesson. An attempt with an answer to an open question has no result before people have marked it. Submitting again returns the same result.',
  params: AttemptPath,
  replies: { 200: AssessmentAttempt },
  errors: [...REFUSALS, 'request.not_found'],
});
