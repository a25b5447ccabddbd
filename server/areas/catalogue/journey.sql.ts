import { sql } from 'kysely';

/** True when journey `j` is not withdrawn and neither its entry nor its course's entry is a draft or withdrawn. */
export const IS_PUBLISHED_JOURNEY = sql`(j.withdrawn_at is null and not exists (
  select from entries y where y.id in (j.entry_id, j.course_id) and y.status <> 'published'))`;
