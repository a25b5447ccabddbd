import { type RawBuilder, sql } from 'kysely';

/**
 * The condition of a statement about what a person holds, said or did in communities or courses: a session that its
 * token narrows reads and changes only what is in those of these slugs (`openCommunitySlugs`, `openCourseSlugs`); null:
 * in all. `slug` names the column.
 */
export function isIn(slug: string, open: string[] | null): RawBuilder<boolean> {
  return open === null ? sql`true` : sql`(${sql.ref(slug)} = any(${open}::text[])) is true`;
}
