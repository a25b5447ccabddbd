import { restoreRemovedArticle } from '#server/areas/articles/article.service.ts';
import { restoreActivity, restoreReply } from '#server/areas/community/posts/restoration.service.ts';
import { showShares } from '#server/areas/community/posts/share.service.ts';
import type { Ctx } from '#server/ctx.ts';
import * as repository from './restoration.repository.ts';

/**
 * Restores what a decision removed, without notifying anyone again. Returns false when the community, the text or its context
 * no longer exists. `ctx.db` is a transaction.
 */
export async function restoreRemoved(ctx: Ctx, decisionId: string): Promise<boolean> {
  const { db } = ctx;
  const removal = await repository.getRemoval(db, decisionId);
  if (!removal) return false;
  const { kind, objectId, activityId, held } = removal;
  if (activityId === null) {
    const article = await restoreRemovedArticle(db, objectId);
    if (article) await showShares(ctx, article.slug);
    return article !== undefined;
  }
  await repository.setRestoring(db, true);
  const isRestored =
    kind === 'activity'
      ? await restoreActivity(db, objectId)
      : await restoreReply(db, { decisionId, activityId, held });
  await repository.setRestoring(db, false);
  return isRestored;
}
