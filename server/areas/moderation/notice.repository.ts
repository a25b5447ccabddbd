// Raw SQL: the shared statement that stores notifications selects from fragments of the community area.
import { type RawBuilder, sql } from 'kysely';
import { isTop } from '#server/areas/community/members/rights.sql.ts';
import { moderatorsOf } from '#server/areas/community/moderators.sql.ts';
import type { Db } from '#server/db/client.ts';
import { insertNotices } from '#server/notify/notify.ts';

type Waiting = {
  objectId: string;
  activityId: string | null;
  communityId: string | null;
  courseId: string | null;
  /** The author of the text. */
  authorId: string;
  /** Another person who is not notified: the reporter, or the moderator whose decision is appealed. */
  exceptId: string;
};

/**
 * Notifies the moderators of a place who may decide, or all administrators if there are none, such as for articles.
 * Decisions about owners and administrators need an owner or an administrator.
 */
async function notifyModerators(
  db: Db,
  event: 'report_waiting' | 'appeal_waiting',
  { objectId, activityId, communityId, courseId, authorId, exceptId }: Waiting,
  condition: RawBuilder<unknown> = sql`true`,
): Promise<void> {
  const place = { communityId: sql`${communityId}::uuid`, courseId: sql`${courseId}::text` };
  await insertNotices(sql`(
    with author as (
      select ${sql.raw(isTop('a', 'place.id'))} as is_top
      from users a cross join (select ${communityId}::uuid as id) place where a.id = ${authorId}),
    moderators as (
      select m.user_id from ${moderatorsOf(place)} m join users u on u.id = m.user_id
      where u.erased_at is null and u.role <> 'inactive' and m.user_id not in (${authorId}, ${exceptId})
        and (m.is_top or u.role = 'administrator' or not (select is_top from author))),
    recipients as (
      select user_id from moderators
      union
      select u.id from users u
      where u.role = 'administrator' and u.id not in (${authorId}, ${exceptId}) and not exists (select from moderators))
    select user_id, ${event} as event, ${objectId}::uuid as object_id, ${activityId}::uuid as activity_id,
      null::uuid as since_id
    from recipients where ${condition})`).execute(db);
}

/** Notifies moderators of a report that is about to be stored, if it is the first open one on its text. */
export async function notifyOfReport(db: Db, report: Waiting): Promise<void> {
  const isFirst = sql`not exists (
    select from content_reports o where o.object_id = ${report.objectId} and o.status = 'open')`;
  await notifyModerators(db, 'report_waiting', report, isFirst);
}

/** Notifies moderators of an appeal against a decision. */
export async function notifyOfAppeal(db: Db, appeal: Waiting): Promise<void> {
  await notifyModerators(db, 'appeal_waiting', appeal);
}
