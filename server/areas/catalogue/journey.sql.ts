import { sql } from 'kysely';

/** Whether the journey `j` is to be had: it stands in its course, and neither of their entries is a draft or withdrawn. */
export const IS_PUBLISHED_JOURNEY = sql`(j.withdrawn_at is null and not exists (
  select from entries y where y.id in (j.entry_id, j.course_id) and y.status <> 'published'))`;
