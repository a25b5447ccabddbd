// Raw SQL: what is stored and what arrives are counted in one statement.
import { sql } from 'kysely';
import { lockName } from '#server/db/advisory-lock.ts';
import { type Db, NOW } from '#server/db/client.ts';

export type IncomingRow = { id: string; bytes: number; userId: string };

/** An upload that was not seen for this long has ended with its process. */
const SILENT = sql`interval '3 minutes'`;

/** One upload at a time reserves space, so that two cannot take the same. */
export async function lockSpace(db: Db): Promise<void> {
  await lockName(db, 'the space of uploads');
}

/** The bytes of a person and of everybody, stored or arriving, and how many uploads of the person are arriving. */
export async function getSpace(db: Db, userId: string): Promise<{ own: number; total: number; arriving: number }> {
  const { rows } = await sql<{ own: number; total: number; arriving: number }>`
    select coalesce(sum(bytes) filter (where user_id = ${userId}), 0)::bigint as own,
      coalesce(sum(bytes), 0)::bigint as total,
      (count(*) filter (where user_id = ${userId} and is_arriving))::int as arriving
    from (
      select bytes, user_id, false as is_arriving from stored_files
      union all
      select bytes, user_id, true from incoming_files where seen_at > now() - ${SILENT}
      union all
      select reserved, user_id, false from resumable_uploads
    ) f`.execute(db);
  return rows[0]!; // an aggregate has one row
}

export async function insertIncoming(db: Db, { id, bytes, userId }: IncomingRow): Promise<void> {
  await db.insertInto('incoming_files').values({ id, bytes, user_id: userId }).execute();
}

export async function renewIncoming(db: Db, id: string): Promise<void> {
  await db.updateTable('incoming_files').set({ seen_at: NOW }).where('id', '=', id).execute();
}

/** Gives up the reserved space, which the stored file now takes. */
export async function freeIncoming(db: Db, id: string): Promise<void> {
  await db.updateTable('incoming_files').set({ bytes: 0 }).where('id', '=', id).execute();
}

export async function deleteIncoming(db: Db, id: string): Promise<void> {
  await db.deleteFrom('incoming_files').where('id', '=', id).execute();
}

/** Uploads that were left behind more than `minutes` ago. */
export async function findLeftBehind(
  db: Db,
  { minutes, limit }: { minutes: number; limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('incoming_files')
    .select('id')
    .where('seen_at', '<', sql<Date>`now() - make_interval(mins => ${minutes})`)
    .orderBy('seen_at')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}
