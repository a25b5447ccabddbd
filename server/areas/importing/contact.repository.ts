import { sql } from 'kysely';
import { anyOf } from '#server/areas/catalogue/any-of.sql.ts';
import type { Db } from '#server/db/client.ts';
import type { Texts } from './import.repository.ts';
import { upsertChanged } from './upsert.sql.ts';

export type ContactRow = {
  course_id: string;
  position: number;
  name: string;
  role: Texts;
  email: string | null;
  profile_id: string | null;
};

/** Replaces the contacts of courses and returns the courses that changed. */
export async function putContacts(db: Db, courseIds: string[], rows: ContactRow[]): Promise<string[]> {
  if (courseIds.length === 0) return [];
  const given = sql<{ course_id: string; position: number }>`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)`;
  const gone = await db
    .deleteFrom('course_contacts')
    .where('course_id', '=', anyOf(courseIds, 'text'))
    .where(({ eb, not, refTuple, selectFrom }) =>
      not(
        eb(
          refTuple('course_id', 'position'),
          'in',
          selectFrom(given.as<'r'>(sql`r(course_id text, position integer)`))
            .select(['r.course_id', 'r.position'])
            .$asTuple('course_id', 'position'),
        ),
      ),
    )
    .returning('course_id')
    .execute();
  const columns = {
    course_id: 'text',
    position: 'integer',
    name: 'text',
    role: 'jsonb',
    email: 'text',
    profile_id: 'uuid',
  };
  const changed = await upsertChanged(db, { table: 'course_contacts', columns, key: ['course_id', 'position'], rows });
  return [...gone.map((row) => row.course_id), ...changed.map(({ key }) => String(key[0]))];
}

export type ContactOut = {
  course_id: string;
  name: string;
  role: Texts;
  email: string | null;
  profile_id: string | null;
};

/** Returns the contacts of all courses in order. */
export async function findContactsOut(db: Db): Promise<ContactOut[]> {
  return await db
    .selectFrom('course_contacts')
    .select(['course_id', 'name', 'role', 'email', 'profile_id'])
    .orderBy('course_id')
    .orderBy('position')
    .$narrowType<{ role: Texts }>()
    .execute();
}
