import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';

export type Reconciliation = {
  token: string | null;
  startedAt: Date | null;
  finishedAt: Date | null;
  published: number;
  withdrawn: number;
  error: string | null;
};

export async function getReconciliation(db: Db): Promise<Reconciliation> {
  return await db
    .selectFrom('content_reconciliation')
    .select([
      'sync_token as token',
      'started_at as startedAt',
      'finished_at as finishedAt',
      'published',
      'withdrawn',
      'error',
    ])
    .executeTakeFirstOrThrow();
}

export async function beginReconciliation(db: Db): Promise<void> {
  await db
    .updateTable('content_reconciliation')
    .set({ started_at: sql`now()`, finished_at: null, published: 0, withdrawn: 0, error: null })
    .execute();
}

/** Stores the outcome. After a failure, the next run compares the same changes again. */
export async function endReconciliation(
  db: Db,
  end: { published: number; withdrawn: number; token: string } | { error: string },
): Promise<void> {
  const facts =
    'error' in end
      ? { error: end.error }
      : { published: end.published, withdrawn: end.withdrawn, sync_token: end.token };
  await db
    .updateTable('content_reconciliation')
    .set({ finished_at: sql`now()`, ...facts })
    .execute();
}

export type KnownEntry = {
  status: 'published' | 'withdrawn' | 'draft';
  version: number;
  /** The version last fetched; null if never fetched. */
  fetched: number | null;
};

export async function findKnownEntries(db: Db, ids: string[]): Promise<Map<string, KnownEntry>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('entries as e')
    .leftJoin('fetched_entries as f', 'f.entry_id', 'e.id')
    .select(['e.id', 'e.status', 'e.version', 'f.version as fetched'])
    .where('e.id', 'in', ids)
    .execute();
  return new Map(
    rows.map(({ id, status, version, fetched }) => [
      id,
      {
        status: status as KnownEntry['status'], // enforced by a check constraint
        version: Number(version),
        fetched: fetched === null ? null : Number(fetched),
      },
    ]),
  );
}

/** Counts published entries fetched from the platform and returns the ones that are not in `ids`. */
export async function findFetchedOutside(db: Db, ids: string[]): Promise<{ total: number; missing: string[] }> {
  const rows = await db
    .selectFrom('fetched_entries as f')
    .innerJoin('entries as e', 'e.id', 'f.entry_id')
    .select('e.id')
    .where('e.status', '=', 'published')
    .execute();
  const listed = new Set(ids);
  return { total: rows.length, missing: rows.map(({ id }) => id).filter((id) => !listed.has(id)) };
}
