import { type RawBuilder, sql } from 'kysely';
import { localText } from '../viewer.sql.ts';

/** Joins the `lesson`, `journey` and `course` of an activity, if it is under a lesson. */
export function joinLesson(activityId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`left join activities under on under.id = ${activityId} and under.lesson_key is not null
    left join lessons lesson on lesson.key = under.lesson_key
    left join journeys journey on journey.key = lesson.journey_key left join courses course on course.id = journey.course_id`;
}

/** The lesson of `joinLesson` as JSON, in the language of the viewer `v`. */
export const LESSON_JSON = sql.raw(`case when lesson.key is not null then json_build_object('course', course.slug,
  'journey', journey.slug, 'lesson', lesson.slug, 'title', ${localText('lesson.title', `'en'`)},
  'courseTitle', ${localText('course.title', `'en'`)}) end`);

/** The condition that the viewer may read the `lesson` of `joinLesson`. `journeys` null: all. */
export const isReadable = (journeys: string[] | null) => sql<boolean>`lesson.withdrawn_at is null
  and (${journeys === null} or lesson.journey_key = any(${journeys ?? []}::uuid[]))`;

/** The condition that the viewer may still see the place of their report `r`, whose lesson is joined. Articles are public. */
export function isSeenReport(seen: { communities: string[]; journeys: string[] | null }): RawBuilder<boolean> {
  return sql`case when r.activity_id is null then true
    when r.community_id is not null then r.community_id = any(${seen.communities}::uuid[])
    else lesson.key is not null and ${isReadable(seen.journeys)} end`;
}
