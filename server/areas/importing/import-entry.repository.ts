// Raw SQL: `freeSlugs` has a table and key column that vary.
import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';
import { anyOf } from '#server/areas/catalogue/any-of.sql.ts';
import { upsertChanged } from './upsert.sql.ts';
import type { Catalogue, ChangedRow, Texts } from './import.repository.ts';

/** Returns the content types of existing entries by id. */
export async function findEntryTypes(db: Db, ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom('entries').select(['id', 'content_type']).where('id', 'in', ids).execute();
  return new Map(rows.map((row) => [row.id, row.content_type]));
}

export type EntryRow = {
  id: string;
  content_type: string;
  status: 'published' | 'withdrawn' | 'draft';
  source: 'folder' | 'export' | 'webhook' | 'authoring';
  slug: Texts;
  fields: Record<string, unknown>;
};

export async function putEntries(db: Db, rows: EntryRow[]): Promise<ChangedRow> {
  return await upsertChanged(db, {
    table: 'entries',
    columns: { id: 'text', content_type: 'text', status: 'text', source: 'text', slug: 'jsonb', fields: 'jsonb' },
    key: ['id'],
    touch: 'updated_at',
    rows,
  });
}

/** Publishes entries of an export without changing their other fields. */
export async function publishEntries(db: Db, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  await db
    .updateTable('entries')
    .set({ status: 'published', updated_at: sql`now()` })
    .where('id', '=', anyOf(ids, 'text'))
    .where('status', '<>', 'published')
    .execute();
}

export async function withdrawEntries(db: Db, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  await db
    .updateTable('entries')
    .set({ status: 'withdrawn', updated_at: sql`now()` })
    .where('id', '=', anyOf(ids, 'text'))
    .where('status', '<>', 'withdrawn')
    .execute();
}

export type ImportedProductRow = { entry_id: string; content_type: string; can_view: string; can_join: string };

export async function putProducts(db: Db, rows: ImportedProductRow[]): Promise<ChangedRow> {
  return await upsertChanged(db, {
    table: 'products',
    columns: { entry_id: 'text', content_type: 'text', can_view: 'text', can_join: 'text' },
    key: ['entry_id'],
    onlyNew: ['can_view', 'can_join'],
    touch: 'updated_at',
    rows,
  });
}

export type AssetRow = { path: string; entry_id: string; key: string; mime: string; bytes: number; hash: string };

/** Upserts assets and returns the entries that changed. `deleteOtherAssets` removes the rest. */
export async function putAssets(db: Db, rows: AssetRow[]): Promise<string[]> {
  const changed = await upsertChanged(db, {
    table: 'content_assets',
    columns: { path: 'text', entry_id: 'text', key: 'text', mime: 'text', bytes: 'bigint', hash: 'text' },
    key: ['path'],
    rows,
  });
  const entryOf = new Map(rows.map((row) => [row.path, row.entry_id]));
  return changed.map(({ key }) => entryOf.get(String(key[0])) ?? '');
}

/** Deletes assets that are not in `paths`. Call it after covers are updated, because covers reference assets. */
export async function deleteOtherAssets(db: Db, entryIds: string[], paths: string[]): Promise<string[]> {
  if (entryIds.length === 0) return [];
  const rows = await db
    .deleteFrom('content_assets')
    .where('entry_id', '=', anyOf(entryIds, 'text'))
    .where((eb) => eb.not(eb('path', '=', anyOf(paths, 'text'))))
    .returning('entry_id')
    .execute();
  return rows.map((row) => row.entry_id);
}

/** Frees slugs that other rows of the same table will take. */
export async function freeSlugs(
  db: Db,
  table: Catalogue | 'journeys' | 'lessons' | 'communities' | 'editorials',
  keys: string[],
): Promise<void> {
  if (keys.length === 0) return;
  const column = table === 'journeys' || table === 'lessons' ? 'key' : table === 'communities' ? 'entry_id' : 'id';
  await sql`update ${sql.table(table)} set slug = '~' || ${sql.ref(column)} where ${sql.ref(column)}::text = any(${keys})`.execute(
    db,
  );
}
