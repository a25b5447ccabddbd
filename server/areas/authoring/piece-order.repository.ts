// Raw SQL: `nextPosition` takes the table and columns from `HOLDERS`.
import type { PieceKind } from '@officium/contract/authoring';
import { sql } from 'kysely';
import { type Db, NOW } from '#server/db/client.ts';
import type { PieceKey } from './piece.policy.ts';
import { HOLDERS, ofKind } from './piece.repository.ts';

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
 * restored when they return. A lesson that was withdrawn individually stays withdrawn, and so does one that an
 * administrator withdrew, whatever happened to the outline since.
 */
export async function placeLessons(db: Db, journeyKey: string, places: readonly PiecePlacing[]): Promise<void> {
  const placed = sql<PiecePlacing>`jsonb_to_recordset(${JSON.stringify(places)}::jsonb)`;
  await db
    .updateTable('lessons as l')
    .from(placed.as<'r'>(sql`r (key uuid, section integer, position integer)`))
    .innerJoin('sections as s', (join) =>
      join.on('s.journey_key', '=', journeyKey).onRef('s.position', '=', 'r.section'),
    )
    .set((eb) => ({
      section_key: eb.ref('s.key'),
      position: eb.ref('r.position'),
      withdrawn_at: eb
        .case()
        .when(
          eb.and([
            eb('l.section_key', 'is', null),
            eb.not(
              eb.exists(
                eb
                  .selectFrom('content_pieces as p')
                  .select('p.key')
                  .where('p.kind', '=', 'lesson')
                  .where('p.key', '=', eb.cast<string>('l.key', 'text'))
                  .where('p.is_barred', '=', true),
              ),
            ),
          ]),
        )
        .then(null)
        .else(eb.ref('l.withdrawn_at'))
        .end(),
    }))
    .whereRef('l.key', '=', 'r.key')
    .where('l.journey_key', '=', journeyKey)
    .execute();
  await db
    .updateTable('lessons')
    .set((eb) => ({ section_key: null, withdrawn_at: eb.fn.coalesce('withdrawn_at', NOW) }))
    .where('journey_key', '=', journeyKey)
    .where(({ eb, fn, not, val }) => not(eb('key', '=', fn.any(val(places.map((place) => place.key))))))
    .where((eb) => eb.or([eb('section_key', 'is not', null), eb('withdrawn_at', 'is', null)]))
    .execute();
}

/** Stores whether an administrator withdrew the piece, so that only administrators publish it again. */
export async function putBarred(db: Db, { kind, key }: PieceKey, isBarred: boolean): Promise<void> {
  await db
    .updateTable('content_pieces')
    .set({ is_barred: isBarred })
    .where('kind', '=', kind)
    .where('key', '=', key)
    .where('is_barred', '<>', isBarred)
    .execute();
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
  const ordered = sql<{ key: string; nth: number }>`unnest(${keys}::uuid[]) with ordinality`;
  const position = sql<number>`${sql.ref('o.nth')} - 1`;
  await db
    .updateTable('journeys as j')
    .from(ordered.as<'o'>(sql`o (key, nth)`))
    .set({ position })
    .whereRef('j.key', '=', 'o.key')
    .where('j.course_id', '=', courseId)
    .where('j.position', '<>', position)
    .execute();
}

/** Adds a course at the end of an academy. */
export async function insertAcademyCourse(db: Db, academyId: string, courseId: string): Promise<void> {
  await db
    .insertInto('academy_courses')
    .columns(['academy_id', 'course_id', 'position'])
    .expression((eb) =>
      eb
        .selectFrom('academy_courses')
        .select([
          eb.val(academyId).as('academy_id'),
          eb.val(courseId).as('course_id'),
          sql<number>`coalesce(max(position), -1) + 1`.as('position'),
        ])
        .where('academy_id', '=', academyId),
    )
    .onConflict((conflict) => conflict.columns(['academy_id', 'course_id']).doNothing())
    .execute();
}
