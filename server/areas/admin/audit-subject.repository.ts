// Raw SQL: a union over the tables of all kinds of objects.
import type { LocalizedText } from '@officium/contract/common';
import { sql } from 'kysely';
import { PIECES } from '#server/areas/authoring/piece-list.sql.ts';
import type { Db } from '#server/db/client.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The present name or title of the object of an audit entry. */
export type SubjectRow = { id: string; kind: string; name: string | null; title: LocalizedText | null };

/** The things that still exist among these ids: people, cohorts, communities, rules and pieces of content. */
export async function findSubjects(db: Db, ids: readonly string[]): Promise<SubjectRow[]> {
  if (ids.length === 0) return [];
  const uuids = ids.filter((id) => UUID.test(id));
  const { rows } = await sql<SubjectRow>`
    select id::text, 'person' as kind, name, null::jsonb as title
    from users where id = any(${uuids}::uuid[]) and erased_at is null
    union all
    select id::text, 'cohort', name, null from cohorts where id = any(${uuids}::uuid[]) and deleted_at is null
    union all
    select id::text, 'community', null, title from communities where id = any(${uuids}::uuid[])
    union all
    select id::text, 'rule', value, null from auto_approvals where id = any(${uuids}::uuid[])
    union all
    select i.key, i.kind, null, i.title from (${PIECES}) i where i.key = any(${[...ids]}::text[])`.execute(db);
  return rows;
}
