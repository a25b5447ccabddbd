// Raw SQL: the shared statement that stores notifications selects the recipients.
import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';
import { insertNotices } from '#server/notify/notify.ts';

/**
 * Notifies the owners of a course that an attempt of a lesson waits to be marked, or all administrators if it has none.
 * Nobody marks their own.
 */
export async function notifyMarkers(
  db: Db,
  { userId, lessonKey }: { userId: string; lessonKey: string },
): Promise<void> {
  await insertNotices(sql`(
    with place as (
      select j.course_id from lessons l join journeys j on j.key = l.journey_key where l.key = ${lessonKey}),
    owners as (
      select r.user_id from role_assignments r cross join place join users u on u.id = r.user_id
      where r.role = 'course-owner' and u.erased_at is null and u.role <> 'inactive' and r.user_id <> ${userId}
        and (r.course_id = place.course_id or r.academy_id in (
          select placed.academy_id from academy_courses placed where placed.course_id = place.course_id))),
    recipients as (
      select user_id from owners
      union
      select u.id from users u
      where u.role = 'administrator' and u.id <> ${userId} and not exists (select from owners))
    select user_id, 'marking_waiting' as event, ${lessonKey}::uuid as object_id, null::uuid as activity_id,
      null::uuid as since_id
    from recipients)`).execute(db);
}
