import type { LocalizedText } from '@officium/contract/common';
import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';

export async function findCohortProductIds(db: Db, cohortId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('cohort_products')
    .select('entry_id')
    .where('cohort_id', '=', cohortId)
    .orderBy('position')
    .execute();
  return rows.map((row) => row.entry_id);
}

/** Replaces a cohort's products. The caller must have locked the cohort. */
export async function replaceCohortProducts(
  db: Db,
  { cohortId, entryIds }: { cohortId: string; entryIds: string[] },
): Promise<void> {
  await db
    .deleteFrom('cohort_products')
    .where('cohort_id', '=', cohortId)
    .where('entry_id', '<>', sql<string>`all(${entryIds}::text[])`)
    .execute();
  const entries = sql<{ entry_id: string; nth: number }>`unnest(${entryIds}::text[]) with ordinality`;
  await db
    .insertInto('cohort_products')
    .columns(['cohort_id', 'entry_id', 'position'])
    .expression((eb) =>
      eb
        .selectFrom(entries.as<'e'>(sql`e (entry_id, nth)`))
        .select([sql<string>`${cohortId}::uuid`.as('cohort_id'), 'e.entry_id', 'e.nth']),
    )
    .onConflict((conflict) =>
      conflict.columns(['cohort_id', 'entry_id']).doUpdateSet((eb) => ({ position: eb.ref('excluded.position') })),
    )
    .execute();
}

/** Appends a product if it is not attached. `dueOn` undefined keeps the current due date. */
export async function putCohortProduct(
  db: Db,
  { cohortId, entryId, dueOn }: { cohortId: string; entryId: string; dueOn: string | null | undefined },
): Promise<void> {
  await db
    .insertInto('cohort_products')
    .columns(['cohort_id', 'entry_id', 'position', 'due_on'])
    .expression((eb) =>
      eb
        .selectFrom('cohort_products as o')
        .select((of) => [
          sql<string>`${cohortId}::uuid`.as('cohort_id'),
          sql<string>`${entryId}::text`.as('entry_id'),
          sql<number>`coalesce(max(${of.ref('o.position')}), 0) + 1`.as('position'),
          sql<Date | null>`${dueOn ?? null}::date`.as('due_on'),
        ])
        .where('o.cohort_id', '=', cohortId),
    )
    .onConflict((conflict) =>
      conflict.columns(['cohort_id', 'entry_id']).doUpdateSet((eb) => ({
        due_on: dueOn === undefined ? eb.ref('cohort_products.due_on') : eb.ref('excluded.due_on'),
      })),
    )
    .execute();
}

export async function deleteCohortProduct(
  db: Db,
  { cohortId, entryId }: { cohortId: string; entryId: string },
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('cohort_products')
    .where('cohort_id', '=', cohortId)
    .where('entry_id', '=', entryId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function hasCohortProduct(
  db: Db,
  { cohortId, entryId }: { cohortId: string; entryId: string },
): Promise<boolean> {
  const row = await db
    .selectFrom('cohort_products')
    .select('entry_id')
    .where('cohort_id', '=', cohortId)
    .where('entry_id', '=', entryId)
    .executeTakeFirst();
  return row !== undefined;
}

export async function findDueDates(db: Db, cohortId: string): Promise<{ entryId: string; dueOn: string }[]> {
  return await db
    .selectFrom('cohort_products')
    .select((eb) => ['entry_id as entryId', sql<string>`${eb.ref('due_on')}::text`.as('dueOn')])
    .where('cohort_id', '=', cohortId)
    .where('due_on', 'is not', null)
    .orderBy('position')
    .execute();
}

export type AttachedRow = { title: LocalizedText; dueOn: string | null };

/** The published products of a cohort that have a page, the earliest due date first. */
export async function findAttached(db: Db, cohortId: string, limit: number): Promise<AttachedRow[]> {
  const rows = await db
    .selectFrom('cohort_products as p')
    .innerJoin('entries as e', (join) => join.onRef('e.id', '=', 'p.entry_id').on('e.status', '=', 'published'))
    .leftJoin('courses as c', 'c.id', 'e.id')
    .leftJoin('journeys as j', 'j.entry_id', 'e.id')
    .leftJoin('microcourses as m', 'm.id', 'e.id')
    .leftJoin('academies as a', 'a.id', 'e.id')
    .leftJoin('communities as y', 'y.entry_id', 'e.id')
    .leftJoin('editorials as d', 'd.id', 'e.id')
    .select(({ fn, ref }) => [
      fn.coalesce('c.title', 'j.title', 'm.title', fn.coalesce('a.title', 'y.title', 'd.title')).as('title'),
      sql<string | null>`${ref('p.due_on')}::text`.as('dueOn'),
    ])
    .where('p.cohort_id', '=', cohortId)
    .$narrowType<{ title: LocalizedText | null }>()
    .orderBy('p.due_on', (order) => order.asc().nullsLast())
    .orderBy('p.position')
    .limit(limit)
    .execute();
  // Plain entries of the content platform have no page.
  return rows.flatMap(({ title, dueOn }) => (title === null ? [] : [{ title, dueOn }]));
}
