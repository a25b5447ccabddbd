import { type RawBuilder, sql } from 'kysely';

/**
 * The condition for statements about what a person holds, said or did in communities or courses: the slug in this column
 * is one the session's token names (`openCommunitySlugs`, `openCourseSlugs`). Null: the token names none, so all are open.
 */
export function isOpenSlug(slug: string, open: string[] | null): RawBuilder<boolean> {
  return open === null ? sql`true` : sql`(${sql.ref(slug)} = any(${open}::text[])) is true`;
}
