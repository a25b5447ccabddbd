import { z } from 'zod';

export const ASSESSMENT_REVIEWS = ['none', 'result', 'answers'] as const;

/** Limits of the settings of an assessment. */
export const ASSESSMENT_LIMITS = { attempts: 20, minutes: 600, draw: 100 } as const;

const whole = (name: string, max: number) =>
  z
    .int(`${name} must be a whole number`)
    .min(1, `${name} must be at least 1`)
    .max(max, `${name} must be at most ${max}`);

/** The settings of a lesson that learners pass by answering its questions. */
export const Assessment = z.strictObject({
  passMark: whole('Pass mark', 100).describe('Percent of the questions that must be right'),
  attempts: whole('Attempts', ASSESSMENT_LIMITS.attempts)
    .nullable()
    .default(null)
    .describe('Attempts of each person; null: any number'),
  minutes: whole('Time limit', ASSESSMENT_LIMITS.minutes)
    .nullable()
    .default(null)
    .describe('Time for an attempt; null: no limit'),
  draw: whole('Questions per attempt', ASSESSMENT_LIMITS.draw)
    .nullable()
    .default(null)
    .describe('Questions that each attempt draws at random; null: all'),
  shuffle: z.boolean().default(false).describe('Shuffle questions and options'),
  review: z
    .enum(ASSESSMENT_REVIEWS)
    .default('result')
    .describe(
      'What a submitted attempt shows · none: the score · result: also which answers are right · answers: also the right answers and feedback',
    ),
});
export type Assessment = z.output<typeof Assessment>;
