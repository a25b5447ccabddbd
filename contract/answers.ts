import { z } from 'zod';
import { LocaleCode, SlugParam } from './common.ts';
import { endpoint } from './endpoint.ts';

export const MAX_TYPED_ANSWER = 500;
/** Characters of the answer to an open question. */
export const MAX_OPEN_ANSWER = 20_000;
export const MAX_CHOICES = 50;
/** Prompts, items or gaps of a question. */
export const MAX_PLACED = 20;

/** The fields of an answer to a question of any type: chosen options, a typed text, a place for each prompt or item, or a text for each gap. */
export const ANSWER_FIELDS = {
  choice: z.array(z.int().min(1).max(1000)).max(MAX_CHOICES).default([]).describe('Numbers of the chosen options'),
  text: z
    .string()
    .max(MAX_OPEN_ANSWER, `Answer must have at most ${MAX_OPEN_ANSWER} characters`)
    .default('')
    .describe(`The typed answer; at most ${MAX_TYPED_ANSWER} characters unless the question is open`),
  places: z
    .array(z.int().min(0).max(MAX_PLACED))
    .max(MAX_PLACED)
    .default([])
    .describe('For each prompt to match, the number of an option; for each item to order, its position; 0: none'),
  gaps: z
    .array(z.string().max(MAX_TYPED_ANSWER, `Answer must have at most ${MAX_TYPED_ANSWER} characters`))
    .max(MAX_PLACED)
    .default([])
    .describe('For each gap, the typed text; may be empty'),
};

export const checkAnswer = endpoint({
  name: 'checkAnswer',
  service: 'learner',
  method: 'POST',
  path: '/courses/{courseSlug}/journeys/{journeySlug}/lessons/{lessonSlug}/answers',
  auth: 'none',
  extension: true,
  summary: 'Check an answer to a question in a lesson',
  description:
    'For everyone who may read the lesson. Answers count for nothing, and nothing is stored. At most 300 in ten minutes for an account and 3,000 for a client address. An unknown question gets 404.',
  params: z.object({ courseSlug: SlugParam, journeySlug: SlugParam, lessonSlug: SlugParam }),
  body: z.object({
    quiz: z.string().min(1).max(64).describe('Value of the field `quiz` in the form'),
    revision: z
      .string()
      .max(64)
      .optional()
      .describe('Value of the field `revision`. 409 if the question has changed since; checked only if given'),
    ...ANSWER_FIELDS,
    locale: LocaleCode.optional().describe('Language of the text, as for readLesson'),
  }),
  replies: {
    200: z.object({
      correct: z
        .boolean()
        .nullable()
        .describe('null for an open question, which people compare with its criteria and model answer in `feedback`'),
      right: z.int().describe('Right parts of the answer: pairs, gaps, or items that directly follow the right one'),
      total: z.int().describe('Parts of the question; 1 unless it is to match, to order or has gaps'),
      prompts: z
        .array(
          z.object({
            prompt: z.int(),
            correct: z.boolean(),
            feedback: z.string().nullable().describe('Sanitised HTML'),
          }),
        )
        .describe('The answered prompts of a question to match, or gaps'),
      options: z
        .array(
          z.object({
            option: z.int(),
            correct: z.boolean(),
            feedback: z.string().nullable().describe('Sanitised HTML'),
          }),
        )
        .describe('The chosen options only'),
      feedback: z.string().nullable().describe('Sanitised HTML about the question as a whole'),
    }),
  },
  errors: [
    'learner.answer_missing',
    'learner.question_changed',
    'learner.not_enrolled',
    'learner.enrolment_pending',
    'learner.enrolment_expired',
    'auth.required',
    'auth.forbidden',
  ],
});
