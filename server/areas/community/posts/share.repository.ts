// Raw SQL: `count_share` locks and counts in one function.
import { sql } from 'kysely';
import { lockName } from '#server/db/advisory-lock.ts';
import type { Db } from '#server/db/client.ts';

/**
 * Counts a share for the post that brought the article or discussion to the community first, unless that post is the sharer's own. It
 * locks that post, so it must run before the community's counters change.
 */
export async function countShare(
  db: Db,
  share: { thingId: string; communityId: string; userId: string },
): Promise<void> {
  await sql`select count_share(${share.thingId}, ${share.communityId}, ${share.userId})`.execute(db);
}

/** Records that an activity is a share of an article. */
export async function insertShare(db: Db, share: { activityId: string; articleId: string }): Promise<void> {
  await db
    .insertInto('article_shares')
    .values({ activity_id: share.activityId, article_id: share.articleId })
    .execute();
}

/**
 * Whether the person shared the article or discussion there with the same message in the last ten minutes, by a second click or a
 * retry. An advisory lock serialises the shares of one person, thing and community.
 */
export async function isSharedAlready(
  db: Db,
  share: { thingId: string; communityId: string; userId: string; title: string },
): Promise<boolean> {
  const { thingId, communityId, userId, title } = share;
  await lockName(db, `share ${thingId} ${communityId} ${userId}`);
  const row = await db
    .selectFrom('shares as s')
    .innerJoin('activities as a', 'a.id', 's.activity_id')
    .select('a.id')
    .where('s.thing_id', '=', thingId)
    .where('a.community_id', '=', communityId)
    .where('a.author_id', '=', userId)
    .where('a.title', '=', title)
    .where('a.deleted_at', 'is', null)
    .where('a.created_at', '>', sql<Date>`now() - interval '10 minutes'`)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Records that an activity is a share of a lesson discussion. */
export async function insertDiscussionShare(
  db: Db,
  share: { activityId: string; discussionId: string },
): Promise<void> {
  await db
    .insertInto('discussion_shares')
    .values({ activity_id: share.activityId, discussion_id: share.discussionId })
    .execute();
}

/** Removes the card of an article from the posts that share it. */
export async function removeCards(db: Db, articleId: string): Promise<void> {
  await db
    .updateTable('activities as a')
    .from('article_shares as s')
    .set(({ ref }) => ({ additional_data: sql`${ref('a.additional_data')} - 'article'` }))
    .where('s.article_id', '=', articleId)
    .whereRef('a.id', '=', 's.activity_id')
    .where('a.additional_data', '?', 'article')
    .execute();
}

/** Puts the card of an article into the posts that share it, in place of an earlier one. */
export async function putCards(db: Db, { articleId, card }: { articleId: string; card: object }): Promise<void> {
  const added = sql`${JSON.stringify(card)}::jsonb`;
  await db
    .updateTable('activities as a')
    .from('article_shares as s')
    .set(({ ref }) => ({ additional_data: sql`${ref('a.additional_data')} || ${added}` }))
    .where('s.article_id', '=', articleId)
    .whereRef('a.id', '=', 's.activity_id')
    .where(({ not, ref }) => not(sql<boolean>`${ref('a.additional_data')} @> ${added}`))
    .execute();
}
