import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';

export async function findCohortProductIds(db: Db, cohortId: string): Promise<string[]> {
  const { rows } = await sql<{ entry_id: string }>`
    select entry_id from cohort_products where cohort_id = ${cohortId} order by position`.execute(db);
  return rows.map((row) => row.entry_id);
}

/** The cohort is locked, so that of two such changes one is whole and last. */
export async function replaceCohortProducts(
  db: Db,
  { cohortId, entryIds }: { cohortId: string; entryIds: string[] },
): Promise<void> {
  await sql`
    delete from cohort_products where cohort_id = ${cohortId} and entry_id <> all(${entryIds}::text[])`.execute(db);
  await sql`
    insert into cohort_products (cohort_id, entry_id, position)
    select ${cohortId}, entry_id, nth from unnest(${entryIds}::text[]) with ordinality e (entry_id, nth)
    on conflict (cohort_id, entry_id) do update set position = excluded.position`.execute(db);
}

/** At the end of the list, unless it is there; `dueOn` undefined leaves the day as it is. */
export async function putCohortProduct(
  db: Db,
  { cohortId, entryId, dueOn }: { cohortId: string; entryId: string; dueOn: string | null | undefined },
): Promise<void> {
  await sql`
    insert into cohort_products as p (cohort_id, entry_id, position, due_on)
    select ${cohortId}, ${entryId}, coalesce(max(o.position), 0) + 1, ${dueOn ?? null}::date
    from cohort_products o where o.cohort_id = ${cohortId}
    on conflict (cohort_id, entry_id) do update
      set due_on = case when ${dueOn === undefined} then p.due_on else excluded.due_on end`.execute(db);
}

export async function deleteCohortProduct(
  db: Db,
  { cohortId, entryId }: { cohortId: string; entryId: string },
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    delete from cohort_products where cohort_id = ${cohortId} and entry_id = ${entryId}`.execute(db);
  return numAffectedRows > 0n;
}

export async function findDueDates(db: Db, cohortId: string): Promise<{ entryId: string; dueOn: string }[]> {
  const { rows } = await sql<{ entryId: string; dueOn: string }>`
    select entry_id as "entryId", due_on::text as "dueOn" from cohort_products
    where cohort_id = ${cohortId} and due_on is not null order by position`.execute(db);
  return rows;
}
