import type { EditorialKind } from '@officium/contract/editorials';
import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';
import type { ChangedRow, PlacedRow, Texts } from './import.repository.ts';
import { upsertChanged } from './upsert.sql.ts';

/** The stored editorials of one kind; `key` is the entry's id. */
export async function findEditorials(db: Db, kind: EditorialKind): Promise<PlacedRow[]> {
  return await db
    .selectFrom('editorials')
    .select(['id', 'id as key', 'slug', 'position'])
    .where('kind', '=', kind)
    .execute();
}

export type EditorialRow = {
  id: string;
  kind: EditorialKind;
  slug: string;
  title: Texts;
  summary: Texts;
  parts: Record<string, Texts>;
  cover: string | null;
  cover_alt: Texts;
  human_translation: boolean;
  position: number;
};

export async function putEditorials(db: Db, rows: EditorialRow[]): Promise<ChangedRow> {
  return await upsertChanged(db, {
    table: 'editorials',
    columns: {
      id: 'text',
      kind: 'text',
      slug: 'text',
      title: 'jsonb',
      summary: 'jsonb',
      parts: 'jsonb',
      cover: 'text',
      cover_alt: 'jsonb',
      human_translation: 'boolean',
      position: 'integer',
    },
    key: ['id'],
    rows,
  });
}

export type EditorialLinkRow = { editorial_id: string; position: number; kind: string; key: string };

/** Replaces the links of these editorials; answers the editorials that changed. */
export async function putEditorialItems(db: Db, ids: string[], rows: EditorialLinkRow[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const kept = sql<{ editorial_id: string; position: number }>`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)`;
  const gone = await db
    .deleteFrom('editorial_items')
    .where('editorial_id', '=', ({ fn, val }) => fn.any(val(ids)))
    .where(({ eb, not, refTuple, selectFrom }) =>
      not(
        eb(
          refTuple('editorial_id', 'position'),
          'in',
          selectFrom(kept.as<'r'>(sql`r (editorial_id text, position integer)`))
            .select(['r.editorial_id', 'r.position'])
            .$asTuple('editorial_id', 'position'),
        ),
      ),
    )
    .returning('editorial_id')
    .execute();
  const changed = await upsertChanged(db, {
    table: 'editorial_items',
    columns: { editorial_id: 'text', position: 'integer', kind: 'text', key: 'text' },
    key: ['editorial_id', 'position'],
    rows,
  });
  return [...gone.map((row) => row.editorial_id), ...changed.map(({ key }) => String(key[0]))];
}
