import { z } from 'zod';
import { LocaleCode, SlugParam } from './common.ts';
import { LEAST_PUBLISHED } from './decisions.ts';
import { endpoint } from './endpoint.ts';
import { EVALUATION_LIMITS, EVALUATION_TYPES } from './evaluation.ts';

/** Errors of these operations, with their status. */
export const evaluationErrors = {
  'learner.evaluation_answered': { status: 409, message: 'You have answered this evaluation.' },
} as const;

export const EVALUATION_STATES = ['open', 'answered', 'skipped'] as const;
export const EvaluationState = z.enum(EVALUATION_STATES).describe('skipped: I may still answer');

/** How a question is shown in a language. */
export const QUESTION_TEXTS = {
  type: z.enum(EVALUATION_TYPES),
  text: z.string(),
  locale: LocaleCode.describe('Language of the question'),
  options: z.array(z.string()).describe('Empty for scale and text'),
};

export const MyEvaluation = z
  .object({
    title: z.string().describe('Of the journey'),
    state: EvaluationState,
    questions: z.array(z.object({ id: z.string(), ...QUESTION_TEXTS })),
  })
  .meta({ id: 'MyEvaluation' });
export type MyEvaluation = z.output<typeof MyEvaluation>;

const JourneyPath = z.object({ courseSlug: SlugParam, journeySlug: SlugParam });
const AT = '/me/courses/{courseSlug}/journeys/{journeySlug}/evaluation';
const own = { service: 'learner', auth: 'user', extension: true } as const;

export const readMyEvaluation = endpoint({
  ...own,
  name: 'readMyEvaluation',
  method: 'GET',
  path: AT,
  summary: 'Read the evaluation of a journey that I completed',
  description: 'The questions, and whether I have answered. My answers cannot be read. 404 for a journey without one.',
  params: JourneyPath,
  query: z.object({ locale: LocaleCode.optional() }),
  replies: { 200: MyEvaluation },
  errors: ['learner.not_completed', 'request.not_found'],
});

const Choice = z.int().min(1).max(Math.max(EVALUATION_LIMITS.options, EVALUATION_LIMITS.steps));

export const answerEvaluation = endpoint({
  ...own,
  name: 'answerEvaluation',
  method: 'PUT',
  path: `${AT}/answers`,
  summary: 'Answer the evaluation of a journey, anonymously and once',
  description: `Any question may be left out, not all. Answers are stored without their person and are counted for every ${LEAST_PUBLISHED} people; they can be neither read nor changed.`,
  params: JourneyPath,
  body: z.strictObject({
    answers: z
      .array(
        z.strictObject({
          question: z.string().max(36),
          choice: z
            .array(Choice)
            .max(EVALUATION_LIMITS.options)
            .default([])
            .describe('Numbers of options, or the step'),
          text: z
            .string()
            .trim()
            .max(EVALUATION_LIMITS.answer, `Answer must have at most ${EVALUATION_LIMITS.answer} characters`)
            .default(''),
        }),
      )
      .max(EVALUATION_LIMITS.questions),
  }),
  replies: { 204: null },
  errors: [
    'learner.answer_missing',
    'learner.question_changed',
    'learner.evaluation_answered',
    'learner.not_completed',
    'request.not_found',
  ],
});

export const skipEvaluation = endpoint({
  ...own,
  name: 'skipEvaluation',
  method: 'PUT',
  path: `${AT}/skip`,
  summary: 'Skip the evaluation of a journey (idempotent)',
  description: 'It is no longer offered. It can still be answered. Changes nothing once answered.',
  params: JourneyPath,
  replies: { 204: null },
  errors: ['learner.not_completed', 'request.not_found'],
});
