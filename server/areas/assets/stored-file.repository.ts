import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { type Db, NOW } from '#server/db/client.ts';

/** `isPrivate`: its key must not become known, so the media library leaves it out. */
export type StoredFile = { key: string; bytes: number; userId: string | null; isPrivate?: boolean };

/** Tells whether a text, draft or version names the file `f.key`. */
export type IsUsed = RawBuilder<SqlBool>;

/** Registers a file, or renews the age of one that is there. The first uploader keeps it. */
export async function putStoredFile(db: Db, { key, bytes, userId, isPrivate = false }: StoredFile): Promise<void> {
  await db
    .insertInto('stored_files')
    .values({ key, bytes, user_id: userId, is_private: isPrivate })
    .onConflict((row) => row.column('key').doUpdateSet({ stored_at: NOW }))
    .execute();
}

const unused = (db: Db, isUsed: IsUsed, days: number) =>
  db
    .selectFrom('stored_files as f')
    .where('f.stored_at', '<', sql<Date>`now() - make_interval(days => ${days})`)
    .where(sql<SqlBool>`not ${isUsed}`);

/** The keys of unused files after `after`, in order. */
export async function findUnused(
  db: Db,
  isUsed: IsUsed,
  { days, after, limit }: { days: number; after: string; limit: number },
): Promise<string[]> {
  const rows = await unused(db, isUsed, days)
    .select('f.key')
    .where('f.key', '>', after)
    .orderBy('f.key')
    .limit(limit)
    .execute();
  return rows.map(({ key }) => key);
}

export async function countUnused(db: Db, isUsed: IsUsed, days: number): Promise<number> {
  const row = await unused(db, isUsed, days)
    .select((f) => f.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/** Locks a file if it is still unused; an upload of the same bytes then waits. */
export async function lockUnused(
  db: Db,
  isUsed: IsUsed,
  { days, key }: { days: number; key: string },
): Promise<boolean> {
  const row = await unused(db, isUsed, days)
    .select('f.key')
    .where('f.key', '=', key)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteStoredFile(db: Db, key: string): Promise<void> {
  await db.deleteFrom('stored_files').where('key', '=', key).execute();
}
