import type { Ranking } from '@officium/contract/community';
import type { RankExplanation } from '@officium/contract/ranks';
import type { Viewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { notFound } from '#server/errors.ts';
import { openContent } from '../members/access.service.ts';
import { getRank } from './rank.repository.ts';
import { toRankExplanation } from './rank.view.ts';

/** Explains the place of a post to whoever may read it; throws as reading the post does. */
export async function explainRank(
  ctx: Ctx,
  viewer: Viewer,
  { slug, id, ranking }: { slug: string; id: string; ranking: Ranking },
): Promise<RankExplanation> {
  const { community } = await openContent(ctx.db, viewer, slug);
  const row = await getRank(ctx.db, { communityId: community.id, id, ranking });
  if (!row) throw notFound();
  return toRankExplanation(ranking, row);
}
