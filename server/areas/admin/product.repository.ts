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
