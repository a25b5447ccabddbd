import { z } from 'zod';
import { text } from './common.ts';

export const ASSESSMENT_REVIEWS = ['none', 'result', 'answers'] as const;

/** Limits of the settings of an assessment. */
export const ASSESSMENT_LIMITS = { attempts: 20, minutes: 600, draw: 100, tags: 20 } as const;

const whole = (name: string, max: number) =>
  z
    .int(`${name} must be a whole number`)
    .min(1, `${name} must be at least 1`)
    .max(max, `${name} must be at most ${max}`);

/** Questions with a tag that each attempt draws. */
const DrawnTag = z.strictObject({
  tag: text({ min: 1, max: 64, name: 'Tag' }),
  count: whole('Questions per tag', ASSESSMENT_LIMITS.draw),
});

/** The settings of a lesson that learners pass by answering its questions. */
export const Assessment = z
  .strictObject({
    passMark: whole('Pass mark', 100).describe(
      'Percent of the points that must be reached; each right part of a question counts',
    ),
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
      .describe('Questions that each attempt draws at random; null: all or, with drawTags, only those'),
    drawTags: z
      .array(DrawnTag)
      .max(ASSESSMENT_LIMITS.tags, `At most ${ASSESSMENT_LIMITS.tags} tags`)
      .refine((drawn) => new Set(drawn.map(({ tag }) => tag)).size === drawn.length, 'Each tag may be given once')
      .optional()
      .describe(
        'Questions that each attempt draws by tag, each question once; further ones up to draw come from the rest',
      ),
    bank: z.boolean().optional().describe('Draws from the question bank of the course, too'),
    shuffle: z.boolean().default(false).describe('Shuffle questions and options'),
    review: z
      .enum(ASSESSMENT_REVIEWS)
      .default('result')
      .describe(
        'What a submitted attempt shows · none: the score · result: also which answers are right · answers: also the right answers and feedback',
      ),
  })
  .refine(({ draw, drawTags = [] }) => draw === null || draw >= sumOf(drawTags), {
    path: ['draw'],
    message: 'Questions per attempt must be at least the questions per tag',
  });
export type Assessment = z.output<typeof Assessment>;

type Draws = Pick<Assessment, 'draw' | 'drawTags'>;

/** The number of questions of an attempt, of `total`. */
export function questionsPerAttempt({ draw, drawTags = [] }: Draws, total: number): number {
  return Math.min(draw ?? (sumOf(drawTags) || total), total);
}

function sumOf(drawn: readonly { count: number }[]): number {
  return drawn.reduce((sum, { count }) => sum + count, 0);
}
