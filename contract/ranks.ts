import { z } from 'zod';
import { SlugParam, Timestamp, Uuid } from './common.ts';
import { RANKINGS } from './community.ts';
import { endpoint } from './endpoint.ts';

export const RankExplanation = z.object({
  ranking: z.enum(RANKINGS),
  score: z.number().describe('What the feed orders by, highest first; among equals the newer post comes first'),
  pinned: z.boolean().optional().describe('Present when pins count'),
  createdAt: Timestamp,
  people: z
    .array(
      z.object({
        kind: z.enum(['like', 'reply', 'share']),
        people: z.int().describe('The people who did it at least once, without the author'),
        points: z.int(),
      }),
    )
    .optional()
    .describe(
      'Present when people count: all three kinds. A reply at any depth counts, and a share of the same article',
    ),
  points: z.int().optional().describe('Present when people count: the sum of their points'),
  standsAt: Timestamp.optional().describe(
    'Present in `community_feed_live`: the post stands where a post of this time without points would stand',
  ),
});
export type RankExplanation = z.output<typeof RankExplanation>;

export const explainActivityRank = endpoint({
  name: 'explainActivityRank',
  service: 'community',
  method: 'GET',
  path: '/communities/{slug}/activities/{id}/rank',
  auth: 'none',
  extension: true,
  summary: 'Explain the place of a post in the feed',
  description:
    'Returns exactly what the order compares, and nothing that it ignores: who wrote a post, their role and their connections count in no ranking, so the answer is the same for every viewer who may read the post. It is read from the definitions that order the feed. An operation of its own, asked when somebody wants to know, so that the feed carries no explanation and costs no further query.',
  params: z.object({ slug: SlugParam, id: Uuid }),
  query: z.object({ ranking: z.enum(RANKINGS).default('community_feed_live') }),
  replies: { 200: RankExplanation },
  errors: ['auth.required', 'auth.forbidden'],
});
