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
