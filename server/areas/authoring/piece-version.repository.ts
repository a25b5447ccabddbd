import type { Db } from '#server/db/client.ts';
import { LACKING } from './piece.repository.ts';
import type { PieceKey, StoredDoc } from './piece.policy.ts';

export type VersionWrite = PieceKey & {
  number: number;
  source: 'authoring' | 'import' | 'draft';
  doc: StoredDoc;
  userId: string | null;
};

export async function insertVersion(db: Db, version: VersionWrite): Promise<void> {
  const { kind, key, number, source, doc, userId } = version;
  await db
    .insertInto('content_versions')
    .values({ kind, key, number, source, doc: JSON.stringify(doc), user_id: userId })
    .execute();
}

/** Discarded drafts that are kept of a piece. */
const MAX_DRAFTS = 50;

/** Deletes older discarded drafts. Published versions stay. */
export async function deleteOldDrafts(db: Db, { kind, key }: PieceKey): Promise<void> {
  await db
    .deleteFrom('content_versions')
    .where('kind', '=', kind)
    .where('key', '=', key)
    .where('number', 'in', (eb) =>
      eb
        .selectFrom('content_versions')
        .select('number')
        .where('kind', '=', kind)
        .where('key', '=', key)
        .where('source', '=', 'draft')
        .orderBy('number', 'desc')
        .offset(MAX_DRAFTS),
    )
    .execute();
}

export async function countVersions(db: Db, { kind, key }: PieceKey): Promise<number> {
  const row = await db
    .selectFrom('content_versions')
    .select((eb) => eb.fn.countAll<number>().$castTo<number>().as('count'))
    .where('kind', '=', kind)
    .where('key', '=', key)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

export async function getVersion(
  db: Db,
  { kind, key, number }: PieceKey & { number: number },
): Promise<StoredDoc | undefined> {
  const row = await db
    .selectFrom('content_versions')
    .select((eb) => eb.ref('doc').$castTo<StoredDoc>().as('doc'))
    .where('kind', '=', kind)
    .where('key', '=', key)
    .where('number', '=', number)
    .executeTakeFirst();
  return row && { ...LACKING[kind], ...row.doc };
}

export type VersionRow = {
  number: number;
  source: 'authoring' | 'import' | 'draft';
  by: string | null;
  isPersonDeleted: boolean;
  at: Date;
};

export async function findVersions(
  db: Db,
  { kind, key, limit, offset }: PieceKey & { limit: number; offset: number },
): Promise<VersionRow[]> {
  return await db
    .selectFrom('content_versions as v')
    .leftJoin('users as u', 'u.id', 'v.user_id')
    .select(['v.number', 'u.name as by', 'v.made_at as at'])
    .select((eb) => [
      eb.ref('v.source').$castTo<VersionRow['source']>().as('source'),
      eb('u.erased_at', 'is not', null).$castTo<boolean>().as('isPersonDeleted'),
    ])
    .where('v.kind', '=', kind)
    .where('v.key', '=', key)
    .orderBy('v.number', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
}
