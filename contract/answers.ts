import { z } from 'zod';
import { LocaleCode, SlugParam } from './common.ts';
import { endpoint } from './endpoint.ts';

export const MAX_TYPED_ANSWER = 500;
export const MAX_CHOICES = 50;

/** The fields of an answer to a question of any type: chosen options, or a typed text. */
export const ANSWER_FIELDS = {
  choice: z.array(z.int().min(1).max(1000)).max(MAX_CHOICES).default([]).describe('Numbers of the chosen options'),
  text: z
    .string()
    .max(MAX_TYPED_ANSWER, `Answer must have at most ${MAX_TYPED_ANSWER} characters`)
    .default('')
    .describe('The typed answer'),
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
      correct: z.boolean(),
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
