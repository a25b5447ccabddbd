// Raw SQL: the snapshot is a function without a table.
import { sql } from 'kysely';
import { type Db, runPrepared } from './client.ts';
import { coalesced, type Reader } from './coalesce.ts';
import { lastOutageOf } from './outage.ts';
import type { Replica } from './replica.ts';

const ask = coalesced(async (db: Db) => {
  const [row] = await runPrepared(db, sql<{ snapshot: string }>`select pg_current_snapshot()::text as snapshot`);
  return row?.snapshot;
});

async function versionOf(reader: Reader): Promise<unknown> {
  return [await ask(reader, { key: '' }, ''), lastOutageOf(reader.pool)];
}

/**
 * The version of everything in the database, of the replica as well: snapshots with equal texts see the same commits.
 * Read the version before the data: the data then has this version or a later one.
 */
export async function readDataVersion({ db, pool, replica }: Reader & { replica?: Replica }): Promise<string> {
  const isAway = replica?.status().fault !== undefined;
  const versions = await Promise.all([versionOf({ db, pool }), replica && !isAway ? versionOf(replica.reader) : null]);
  return JSON.stringify(versions);
}
