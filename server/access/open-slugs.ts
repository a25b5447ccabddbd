import { type RawBuilder, sql } from 'kysely';

/**
 * The condition on a user's records in communities or courses: the session's token names the slug in this column
 * (`openCommunitySlugs`, `openCourseSlugs`). null: the token names none, so all are open.
 */
export function isOpenSlug(slug: string, open: string[] | null): RawBuilder<boolean> {
  return open === null ? sql`true` : sql`(${sql.ref(slug)} = any(${open}::text[])) is true`;
}
