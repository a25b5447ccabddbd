import { WHOLE_EXPORT_HOURS } from '@officium/contract/whole-exports';
import { sql, type Selectable } from 'kysely';
import { tryLockName } from '#server/db/advisory-lock.ts';
import { type Db, newId, NOW } from '#server/db/client.ts';
import type { WholeExports } from '#server/db/schema.ts';

export type WholeExportRow = Selectable<WholeExports>;

const LIFE = sql<Date>`now() + make_interval(hours => ${sql.lit(WHOLE_EXPORT_HOURS)})`;

/** The exports of an administrator that have not expired, newest first. */
export async function findWholeExports(db: Db, userId: string): Promise<WholeExportRow[]> {
  return await db
    .selectFrom('whole_exports')
    .selectAll()
    .where('user_id', '=', userId)
    .where('expires_at', '>', NOW)
    .orderBy('id', 'desc')
    .execute();
}

export async function insertWholeExport(db: Db, userId: string): Promise<WholeExportRow> {
  return await db
    .insertInto('whole_exports')
    .values({ id: newId(), user_id: userId })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function isPending(db: Db, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('whole_exports')
    .select('id')
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .executeTakeFirst();
  return row !== undefined;
}

/** Locks an export until the transaction ends. False when another worker holds the lock. */
export async function tryLock(db: Db, id: string): Promise<boolean> {
  return await tryLockName(db, `whole export ${id}`);
}

/** Starts the time in which the file can be downloaded. False when the export was deleted meanwhile. */
export async function updateReady(db: Db, { id, bytes }: { id: string; bytes: number }): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('whole_exports')
    .set({ status: 'ready', bytes, expires_at: LIFE })
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Fails exports that were not finished within most of a day, so that their administrator can request again. */
export async function failStale(db: Db): Promise<void> {
  await db
    .updateTable('whole_exports')
    .set({ status: 'failed' })
    .where('status', '=', 'pending')
    .where('created_at', '<', sql<Date>`now() - interval '20 hours'`)
    .execute();
}

/** Deletes expired exports and returns their ids. */
export async function deleteExpired(db: Db): Promise<string[]> {
  const rows = await db.deleteFrom('whole_exports').where('expires_at', '<', NOW).returning('id').execute();
  return rows.map(({ id }) => id);
}
