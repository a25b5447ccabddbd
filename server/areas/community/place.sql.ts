import { type RawBuilder, sql } from 'kysely';
import { isNarrowed, type OpenSlugs } from '#server/access/can.ts';
import { isOpenSlug } from '#server/access/open-slugs.ts';

/**
 * The condition that an activity stands where a session may go: in a community or under a lesson of a course that its
 * token names, or on a profile.
 */
export function isActivityIn(activityId: RawBuilder<unknown>, open: OpenSlugs): RawBuilder<boolean> {
  if (!isNarrowed(open)) return sql`true`;
  return sql`exists (
    select from activities standing
    left join communities place on place.id = standing.community_id
    left join lessons lesson on lesson.key = standing.lesson_key
    left join journeys journey on journey.key = lesson.journey_key
    left join courses course on course.id = journey.course_id
    where standing.id = ${activityId} and case
      when standing.community_id is not null then ${isOpenSlug('place.slug', open.communities)}
      when standing.lesson_key is not null then ${isOpenSlug('course.slug', open.courses)}
      else true end)`;
}
