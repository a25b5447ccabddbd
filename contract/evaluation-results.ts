import { z } from 'zod';
import { EntryId, LocaleCode } from './common.ts';
import { LEAST_PUBLISHED } from './decisions.ts';
import { endpoint } from './endpoint.ts';
import { QUESTION_TEXTS } from './evaluations.ts';

/** Typed answers of one question that the results contain, drawn at random. */
export const EVALUATION_TEXTS = 2000;

const Answers = z.int().min(0).nullable();

export const EvaluationResults = z
  .object({
    asked: z.int().describe('People who completed the journey'),
    people: z.int().min(0).describe(`People whose answers are counted: a multiple of ${LEAST_PUBLISHED}`),
    questions: z
      .array(
        z.object({
          ...QUESTION_TEXTS,
          isCurrent: z.boolean().describe('The published evaluation asks it'),
          answers: Answers.describe(`People who answered it; null: withheld, because it is below ${LEAST_PUBLISHED}`),
          counts: z.array(z.int()).nullable().describe('Answers by option or step, in order; null: withheld'),
          mean: z.number().nullable().describe('Of a scale, with two decimals; null for others, or withheld'),
          texts: z
            .array(z.string())
            .nullable()
            .describe(`Typed answers in random order, at most ${EVALUATION_TEXTS}; null: withheld`),
        }),
      )
      .describe('Those of the published evaluation in its order, then former ones with answers'),
  })
  .meta({ id: 'EvaluationResults' });
export type EvaluationResults = z.output<typeof EvaluationResults>;

export const readEvaluationResults = endpoint({
  name: 'readEvaluationResults',
  service: 'content',
  method: 'GET',
  path: '/authoring/journey/pieces/{key}/evaluation-results',
  auth: 'admin',
  capability: 'edit-content',
  extension: true,
  summary: 'Read the results of the evaluation of a journey',
  description: `Changes for every ${LEAST_PUBLISHED} people who answer, so that no change tells the answers of one. Questions with fewer than ${LEAST_PUBLISHED} answers are withheld.`,
  params: z.object({ key: EntryId.describe('Key of the journey') }),
  query: z.object({ locale: LocaleCode.optional() }),
  replies: { 200: EvaluationResults },
  errors: ['request.not_found'],
});
