import type { PieceKind } from '@officium/contract/authoring';
import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';
import { HOLDERS, ofKind } from './piece.repository.ts';

// The writes are raw SQL, because they join `unnest` and JSON record sets; `nextPosition` takes the table from
// `HOLDERS`.

/** Returns the position after all siblings. */
export async function nextPosition(db: Db, kind: PieceKind, parent: string | null): Promise<number> {
  const holder = HOLDERS[kind];
  const beside = holder.parent === null ? sql`true` : sql`t.${sql.ref(holder.parent)}::text = ${parent}`;
  const { rows } = await sql<{ position: number }>`
    select coalesce(max(t.position), -1) + 1 as position from ${sql.table(holder.table)} t
    where ${ofKind(kind)} and ${beside}`.execute(db);
  return rows[0]?.position ?? 0;
}

export type PiecePlacing = { key: string; section: number; position: number };

/**
 * Places the lessons of a journey according to its outline. Lessons missing from the outline are withdrawn, and
 * restored when they return. A lesson that was withdrawn individually stays withdrawn.
 */
export async function placeLessons(db: Db, journeyKey: string, places: readonly PiecePlacing[]): Promise<void> {
  await sql`
    update lessons l set section_key = s.key, position = r.position,
      withdrawn_at = case when l.section_key is null then null else l.withdrawn_at end
    from jsonb_to_recordset(${JSON.stringify(places)}::jsonb) as r(key uuid, section integer, position integer)
    join sections s on s.journey_key = ${journeyKey}::uuid and s.position = r.section
    where l.key = r.key and l.journey_key = ${journeyKey}::uuid`.execute(db);
  await sql`
    update lessons set section_key = null, withdrawn_at = coalesce(withdrawn_at, now())
    where journey_key = ${journeyKey}::uuid and not key = any(${places.map((place) => place.key)}::uuid[])
      and (section_key is not null or withdrawn_at is null)`.execute(db);
}

/** Returns the section of a published lesson. */
export async function getSectionKey(db: Db, lessonKey: string): Promise<string | null> {
  const row = await db.selectFrom('lessons').select('section_key').where('key', '=', lessonKey).executeTakeFirst();
  return row?.section_key ?? null;
}

/** Returns the published journeys of a course in order. */
export async function findLiveJourneys(db: Db, courseId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('journeys')
    .select('key')
    .where('course_id', '=', courseId)
    .orderBy('position')
    .orderBy('key')
    .execute();
  return rows.map(({ key }) => key);
}

export async function updateJourneyOrder(db: Db, courseId: string, keys: string[]): Promise<void> {
  await sql`
    update journeys j set position = o.nth - 1 from unnest(${keys}::uuid[]) with ordinality o (key, nth)
    where j.key = o.key and j.course_id = ${courseId} and j.position <> o.nth - 1`.execute(db);
}
