import { sql, type Selectable } from 'kysely';
import { tryLockName } from '#server/db/advisory-lock.ts';
import { newId, type Db } from '#server/db/client.ts';
import type { DataExports } from '#server/db/schema.ts';

export type ExportRow = Selectable<DataExports>;

export async function findExports(db: Db, userId: string): Promise<ExportRow[]> {
  return await db
    .selectFrom('data_exports')
    .selectAll()
    .where('user_id', '=', userId)
    .where('expires_at', '>', sql<Date>`now()`)
    .orderBy('id', 'desc')
    .execute();
}

export async function getExport(
  db: Db,
  { userId, id }: { userId: string; id: string },
): Promise<ExportRow | undefined> {
  return (await findExports(db, userId)).find((row) => row.id === id);
}

/** Number of exports requested in the last day, and seconds until the oldest stops counting. */
export async function countOfDay(db: Db, userId: string): Promise<{ made: number; waitSeconds: number }> {
  return await db
    .selectFrom('data_exports')
    .select((eb) => {
      const counted = sql`min(${eb.ref('created_at')}) + interval '1 day' - now()`;
      return [
        sql<number>`count(*)::int`.as('made'),
        sql<number>`coalesce(extract(epoch from ${counted}), 0)::float8`.as('waitSeconds'),
      ];
    })
    .where('user_id', '=', userId)
    .where('created_at', '>', sql<Date>`now() - interval '1 day'`)
    .executeTakeFirstOrThrow();
}

export async function insertExport(db: Db, { userId, locale }: { userId: string; locale: string }): Promise<ExportRow> {
  return await db
    .insertInto('data_exports')
    .values({ id: newId(), user_id: userId, locale })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** The user of a pending export. Undefined once it is finished or deleted. */
export async function getPending(
  db: Db,
  id: string,
): Promise<{ userId: string; email: string; name: string; locale: string; expiresAt: Date } | undefined> {
  return await db
    .selectFrom('data_exports as e')
    .innerJoin('users as u', 'u.id', 'e.user_id')
    .select(['u.id as userId', 'u.email', 'u.name', 'e.locale', 'e.expires_at as expiresAt'])
    .where('e.id', '=', id)
    .where('e.status', '=', 'pending')
    .where('u.email', 'is not', null)
    .$narrowType<{ email: string }>()
    .executeTakeFirst();
}

/** Locks an export until the transaction ends. False when another worker holds the lock. */
export async function tryLock(db: Db, id: string): Promise<boolean> {
  return await tryLockName(db, `export ${id}`);
}

/** False when the export was deleted meanwhile or is already finished. */
export async function updateReady(db: Db, { id, bytes }: { id: string; bytes: number }): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('data_exports')
    .set({ status: 'ready', bytes, ready_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Fails exports that were not finished within a day, so that their owner can request again. */
export async function failStale(db: Db): Promise<void> {
  await db
    .updateTable('data_exports')
    .set({ status: 'failed' })
    .where('status', '=', 'pending')
    .where('created_at', '<', sql<Date>`now() - interval '1 day'`)
    .execute();
}

/** Deletes expired exports and returns their ids. */
export async function deleteExpired(db: Db): Promise<string[]> {
  const rows = await db
    .deleteFrom('data_exports')
    .where('expires_at', '<', sql<Date>`now()`)
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}
