import { sql } from 'kysely';
import { lockName } from '#server/db/advisory-lock.ts';
import { type Db, NOW } from '#server/db/client.ts';

/** The owner and the place of an upload. Uploads of anybody else count as missing. */
export type Owner = { userId: string; place: string };
/** Identifies a file that a person continues to upload. */
export type SameFile = { name: string; bytes: number; modified: number };
export type KeptFile = { path: string; key: string; mime: string; bytes: number; hash: string };
export type ResumableUpload = SameFile & {
  id: string;
  token: string;
  file: KeptFile | null;
  isFinished: boolean;
};
export type UploadPart = { number: number; sha256: Buffer; receipt: string };

const MINE = (db: Db, { userId, place }: Owner) =>
  db.selectFrom('resumable_uploads').where('user_id', '=', userId).where('place', '=', place);

export async function insertUpload(
  db: Db,
  { id, token, userId, place, name, bytes, modified }: Owner & SameFile & { id: string; token: string },
): Promise<void> {
  await db
    .insertInto('resumable_uploads')
    .values({ id, token, user_id: userId, place, name, bytes, reserved: bytes, modified })
    .execute();
}

/** The upload with which a person continues; undefined when there is none. Only parts count as progress. */
export async function findUnfinished(
  db: Db,
  owner: Owner,
  { name, bytes, modified }: SameFile,
): Promise<string | undefined> {
  const row = await MINE(db, owner)
    .select('id')
    .where('name', '=', name)
    .where('bytes', '=', bytes)
    .where('modified', '=', modified)
    .where('finished_at', 'is', null)
    .orderBy('seen_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}

export async function countUnfinished(db: Db, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('resumable_uploads')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('finished_at', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}

export async function getUpload(db: Db, owner: Owner, id: string): Promise<ResumableUpload | undefined> {
  return await MINE(db, owner)
    .select(['id', 'token', 'name', 'bytes', 'modified', 'file'])
    .select((eb) => eb('finished_at', 'is not', null).$castTo<boolean>().as('isFinished'))
    .where('id', '=', id)
    .$narrowType<{ file: KeptFile | null; bytes: number; modified: number }>()
    .executeTakeFirst();
}

export async function findParts(db: Db, id: string): Promise<UploadPart[]> {
  return await db
    .selectFrom('resumable_upload_parts')
    .select(['number', 'sha256', 'receipt'])
    .where('upload_id', '=', id)
    .orderBy('number')
    .execute();
}

/** Records a part that is stored; the later of two wins, as in the store. False when the upload is gone. */
export async function putPart(db: Db, id: string, { number, sha256, receipt }: UploadPart): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('resumable_uploads')
    .set({ seen_at: NOW })
    .where('id', '=', id)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await db
    .insertInto('resumable_upload_parts')
    .values({ upload_id: id, number, sha256, receipt })
    .onConflict((row) => row.columns(['upload_id', 'number']).doUpdateSet({ sha256, receipt }))
    .execute();
  return true;
}

/** No living process makes the file. */
const isUnclaimed = sql<boolean>`(claimed_at is null or claimed_at < now() - interval '3 minutes')`;

/** Takes the upload for this process, unless another holds it and lives. */
export async function claimUpload(db: Db, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('resumable_uploads')
    .set({ claimed_at: NOW, seen_at: NOW })
    .where('id', '=', id)
    .where(isUnclaimed)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/**
 * Takes the upload to make its file, unless a living process makes one for the same person. Call it in a transaction:
 * its lock keeps two uploads from being claimed at once.
 */
export async function claimToFinish(db: Db, id: string, userId: string): Promise<boolean> {
  await lockName(db, `finished uploads of ${userId}`);
  const finishing = await db
    .selectFrom('resumable_uploads')
    .select('id')
    .where('user_id', '=', userId)
    .where('finished_at', 'is', null)
    .where(sql<boolean>`not ${isUnclaimed}`)
    .executeTakeFirst();
  return !finishing && (await claimUpload(db, id));
}

export async function renewClaim(db: Db, id: string): Promise<void> {
  await db.updateTable('resumable_uploads').set({ claimed_at: NOW, seen_at: NOW }).where('id', '=', id).execute();
}

export async function releaseClaim(db: Db, id: string): Promise<void> {
  await db.updateTable('resumable_uploads').set({ claimed_at: null }).where('id', '=', id).execute();
}

/** The stored file takes the space from now on. */
export async function settleUpload(db: Db, id: string, file: KeptFile): Promise<void> {
  await db
    .updateTable('resumable_uploads')
    .set({ file: JSON.stringify(file), reserved: 0 })
    .where('id', '=', id)
    .execute();
}

export async function finishUpload(db: Db, id: string): Promise<void> {
  await db.updateTable('resumable_uploads').set({ finished_at: NOW }).where('id', '=', id).execute();
}

export async function deleteUpload(db: Db, id: string): Promise<void> {
  await db.deleteFrom('resumable_uploads').where('id', '=', id).execute();
}

export type Abandonment = { hours: number; emptyHours: number };

/** No new part for `hours`, none at all for `emptyHours`, or of an erased person; and nobody makes the file. */
const isAbandoned = ({ hours, emptyHours }: Abandonment) =>
  sql<boolean>`${isUnclaimed} and (user_id is null
    or seen_at < now() - make_interval(hours => ${hours})
    or seen_at < now() - make_interval(hours => ${emptyHours})
      and not exists (select from resumable_upload_parts p where p.upload_id = resumable_uploads.id))`;

export async function findAbandoned(
  db: Db,
  { limit, ...abandonment }: Abandonment & { limit: number },
): Promise<{ id: string; token: string }[]> {
  return await db
    .selectFrom('resumable_uploads')
    .select(['id', 'token'])
    .where(isAbandoned(abandonment))
    .orderBy('seen_at')
    .limit(limit)
    .execute();
}

/** Takes an upload to delete it, unless it is continued by now. `seen_at` stays, so that a failed deletion is repeated. */
export async function claimAbandoned(db: Db, id: string, abandonment: Abandonment): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('resumable_uploads')
    .set({ claimed_at: NOW })
    .where('id', '=', id)
    .where(isAbandoned(abandonment))
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
