import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';

/**
 * Counts a share to the post that brought the article to the community first, unless it is the sharer's own. Takes that
 * post's lock, so it comes before the community's counters change.
 */
export async function countShare(
  db: Db,
  share: { articleId: string; communityId: string; userId: string },
): Promise<void> {
  await sql`select count_share(${share.articleId}, ${share.communityId}, ${share.userId})`.execute(db);
}

/** Notes that an activity is a share of an article. */
export async function insertShare(db: Db, share: { activityId: string; articleId: string }): Promise<void> {
  await db
    .insertInto('article_shares')
    .values({ activity_id: share.activityId, article_id: share.articleId })
    .execute();
}
