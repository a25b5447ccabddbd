import { type RawBuilder, sql } from 'kysely';
import { isManager } from './members/rights.sql.ts';

/** Ids as expressions, null where the text is not in a community or not under a lesson. */
export type ModeratedPlace = { communityId: RawBuilder<unknown>; courseId: RawBuilder<unknown> };

/**
 * The people who moderate a community or the lesson discussions of a course; `is_top`: an owner, who may also decide
 * about owners. Leaves out administrators, who moderate everywhere, and without `hasRoles` the assigned roles.
 */
export function moderatorsOf({ communityId, courseId }: ModeratedPlace, hasRoles = true): RawBuilder<unknown> {
  return sql`(
    select m.user_id, m.role = 'owner' as is_top from community_members m
    where m.community_id = ${communityId} and ${sql.raw(isManager('m'))}
    union all
    select k.profile_id, false from course_contacts k where k.course_id = ${courseId} and k.profile_id is not null
    union all
    select r.user_id, false from role_assignments r
    where ${hasRoles} and (r.role = 'moderator' and r.community_id = ${communityId} or r.role = 'course-owner' and (
      r.course_id = ${courseId}
      or r.academy_id in (select placed.academy_id from academy_courses placed where placed.course_id = ${courseId}))))`;
}

/** The condition that the text of a report `r` still exists. */
export const IS_REPORTED_THERE = sql`case
  when r.activity_id is null then exists (select from articles w where w.id = r.object_id and w.withdrawn_at is null)
  when r.object_id = r.activity_id then exists (
    select from activities a where a.id = r.activity_id and a.deleted_at is null)
  else exists (
    select from reactions x join activities a on a.id = x.activity_id and a.deleted_at is null
    where x.id = r.object_id and x.deleted_at is null) end`;
