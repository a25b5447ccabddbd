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

/**
 * Whether the person shared the article there with the same message in the last ten minutes: a button pressed twice, or a
 * request sent again. One share of theirs there at a time.
 */
export async function isSharedAlready(
  db: Db,
  share: { articleId: string; communityId: string; userId: string; title: string },
): Promise<boolean> {
  const { articleId, communityId, userId, title } = share;
  await sql`select pg_advisory_xact_lock(hashtextextended(${`share ${articleId} ${communityId} ${userId}`}, 0))`.execute(
    db,
  );
  const { rows } = await sql`
    select from article_shares s join activities a on a.id = s.activity_id
    where s.article_id = ${articleId} and a.community_id = ${communityId} and a.author_id = ${userId}
      and a.title = ${title} and a.deleted_at is null and a.created_at > now() - interval '10 minutes'
    limit 1`.execute(db);
  return rows.length > 0;
}
