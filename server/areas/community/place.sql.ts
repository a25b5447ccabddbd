import { type RawBuilder, sql } from 'kysely';
import { isNarrowed, type OpenSlugs } from '#server/access/can.ts';
import { isOpenSlug } from '#server/access/open-slugs.ts';

/**
 * The condition that a session may use an activity: on a profile, in a community its token names, or under a lesson of
 * a course its token names.
 */
export function isActivityIn(activityId: RawBuilder<unknown>, open: OpenSlugs): RawBuilder<boolean> {
  if (!isNarrowed(open)) return sql`true`;
  return sql`exists (
    select from activities activity
    left join communities place on place.id = activity.community_id
    left join lessons lesson on lesson.key = activity.lesson_key
    left join journeys journey on journey.key = lesson.journey_key
    left join courses course on course.id = journey.course_id
    where activity.id = ${activityId} and case
      when activity.community_id is not null then ${isOpenSlug('place.slug', open.communities)}
      when activity.lesson_key is not null then ${isOpenSlug('course.slug', open.courses)}
      else true end)`;
}
