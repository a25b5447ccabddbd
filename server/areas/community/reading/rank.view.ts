import type { Ranking } from '@officium/contract/community';
import type { RankExplanation } from '@officium/contract/ranks';
import type { RankRow } from './ranking.sql.ts';

/** Only what counts in the ranking is present. */
export function toRankExplanation(
  ranking: Ranking,
  { score, createdAt, standsAt, pinned, people }: RankRow,
): RankExplanation {
  return {
    ranking,
    score: Number(score),
    createdAt: createdAt.toISOString(),
    ...(pinned !== null && { pinned }),
    ...(people !== null && { people, points: people.reduce((sum, { points }) => sum + points, 0) }),
    ...(standsAt !== null && { standsAt: standsAt.toISOString() }),
  };
}
