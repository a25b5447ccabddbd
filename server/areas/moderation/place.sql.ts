import { type RawBuilder, sql } from 'kysely';

/** A moderated place: a community, the lesson discussions of a course, or all articles. */
export type PlaceKey = { communityId: string } | { courseId: string } | 'articles';

/** The condition that a report or decision `row` is about content of the place. */
export function isInPlace(row: RawBuilder<unknown>, place: PlaceKey): RawBuilder<boolean> {
  if (place === 'articles') return sql`${row}.activity_id is null`;
  if ('communityId' in place) return sql`${row}.community_id = ${place.communityId}`;
  return sql`${row}.community_id is null and exists (
    select from activities placed join lessons l on l.key = placed.lesson_key join journeys j on j.key = l.journey_key
    where placed.id = ${row}.activity_id and j.course_id = ${place.courseId})`;
}

/** Joins the `article` that a report or decision `row` is about, if any. */
export const joinArticle = (row: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`left join articles article on article.id = ${row}.object_id and ${row}.activity_id is null`;

/** The article of `joinArticle` as JSON. */
export const ARTICLE_JSON = sql`case when article.id is not null then
  json_build_object('slug', article.slug, 'title', article.title) end`;

/** The kind of the content of a report `r`. */
export const REPORTED_KIND = sql`case when r.activity_id is null then 'article'
  when r.object_id = r.activity_id then 'activity' else 'reaction' end`;
