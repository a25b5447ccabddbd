import { z } from 'zod';
import { EntryId, LocaleCode } from './common.ts';
import { LEAST_PUBLISHED } from './decisions.ts';
import { endpoint } from './endpoint.ts';

/** People whose attempts the statistics of an assessment read, the newest first. */
export const STATISTICS_PEOPLE = 2000;

const Question = z.object({
  question: z.string().describe('Its text, without markup'),
  locale: LocaleCode,
  isCurrent: z.boolean().describe('The published text has it as it was answered'),
  people: z
    .int()
    .min(0)
    .nullable()
    .describe(`People whose attempt had it; null: withheld, because it is below ${LEAST_PUBLISHED}`),
  facility: z
    .number()
    .min(0)
    .max(100)
    .nullable()
    .describe(
      'Percent of them who answered right, with one decimal; partly right answers count in part; null: withheld',
    ),
  discrimination: z
    .number()
    .min(-1)
    .max(1)
    .nullable()
    .describe(
      'Correlation of the answer with the score in the other questions of the attempt, with two decimals; null: withheld, or all did equally',
    ),
});

export const QuestionStatistics = z
  .object({
    people: z.int().min(0).nullable().describe('People whose attempts are counted; null: withheld'),
    questions: z.array(Question).describe('Those of the published text in its order, then former ones'),
  })
  .meta({ id: 'QuestionStatistics' });
export type QuestionStatistics = z.output<typeof QuestionStatistics>;

export const readQuestionStatistics = endpoint({
  name: 'readQuestionStatistics',
  service: 'content',
  method: 'GET',
  path: '/authoring/lesson/pieces/{key}/question-statistics',
  auth: 'admin',
  capability: 'edit-content',
  extension: true,
  summary: 'Read how the questions of an assessment do',
  description: `From the first finished attempt of each person, of the ${STATISTICS_PEOPLE} newest people at most. A question without an answer counts as wrong. A question whose text or language differs is another one. Figures of fewer than ${LEAST_PUBLISHED} people are withheld, and from then on people are added ${LEAST_PUBLISHED} at once, so that no two readings tell what one of them answered.`,
  params: z.object({ key: EntryId.describe('Key of the lesson') }),
  replies: { 200: QuestionStatistics },
  errors: ['request.not_found'],
});
