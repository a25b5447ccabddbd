import { sql, type Selectable } from 'kysely';
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

/** How many were asked for within a day, and when the first of them stops counting. */
export async function countOfDay(db: Db, userId: string): Promise<{ made: number; waitSeconds: number }> {
  const { rows } = await sql<{ made: number; waitSeconds: number }>`
    select count(*)::int as made,
      coalesce(extract(epoch from min(created_at) + interval '1 day' - now()), 0)::float8 as "waitSeconds"
    from data_exports where user_id = ${userId} and created_at > now() - interval '1 day'`.execute(db);
  return rows[0] ?? { made: 0, waitSeconds: 0 }; // an aggregate has one row
}

export async function insertExport(db: Db, { userId, locale }: { userId: string; locale: string }): Promise<ExportRow> {
  return await db
    .insertInto('data_exports')
    .values({ id: newId(), user_id: userId, locale })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Whom a pending export is about; undefined when it is made already, or was forgotten. */
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

/** Takes the right to make an export until the transaction ends; false when another worker has it. */
export async function tryLock(db: Db, id: string): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`export ${id}`}, 0)) as locked`.execute(db);
  return rows[0]?.locked ?? false;
}

/** False when the export was forgotten meanwhile, or is made already. */
export async function updateReady(db: Db, { id, bytes }: { id: string; bytes: number }): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update data_exports set status = 'ready', bytes = ${bytes}, ready_at = now()
    where id = ${id} and status = 'pending'`.execute(db);
  return numAffectedRows === 1n;
}

/** Gives up what was not made within a day, so that its owner may ask again. */
export async function failStale(db: Db): Promise<void> {
  await sql`
    update data_exports set status = 'failed'
    where status = 'pending' and created_at < now() - interval '1 day'`.execute(db);
}

/** Forgets what is over; answers the ids. */
export async function deleteExpired(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    delete from data_exports where expires_at < now() returning id`.execute(db);
  return rows.map(({ id }) => id);
}
