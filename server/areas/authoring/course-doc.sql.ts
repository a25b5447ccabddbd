import { sql } from 'kysely';

/** The contacts of course `t`. */
export const CONTACTS = sql`coalesce((select jsonb_agg(jsonb_build_object('name', k.name, 'role', k.role, 'email', k.email,
  'profile', k.profile_id) order by k.position) from course_contacts k where k.course_id = t.id), '[]')`;
/** The question bank of course `t`. */
export const BANK = sql`
  'body', coalesce((select jsonb_object_agg(b.locale, b.source) from course_questions b where b.course_id = t.id), '{}')`;
export const BANK_FILES = sql`coalesce((select jsonb_object_agg(b.locale, b.file) from course_questions b
  where b.course_id = t.id and b.file is not null), '{}')`;
