import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';
import type { Json } from '#server/db/schema.ts';

export type PlatformRow = {
  id: string;
  status: 'published' | 'draft';
  version: number;
  fields: Record<string, unknown>;
  fallbacks: Record<string, string | null>;
};
/** Rows as PostgreSQL reads them from JSON. */
type Recordset<Row> = { [Column in keyof Row]: Row[Column] extends object ? Json : Row[Column] };
export type PlatformEntryRow = PlatformRow & { content_type: string; slug: Record<string, string> };

/** `xmax` is 0 for an inserted row. */
const IS_NEW = sql<boolean>`xmax = 0`.as('isNew');

/** Upserts entries of an export. Skips unchanged entries and entries that a later event has updated. */
export async function putPlatformEntries(db: Db, rows: PlatformEntryRow[]): Promise<{ id: string; isNew: boolean }[]> {
  const given = sql<Recordset<PlatformEntryRow>>`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)`.as<'r'>(
    sql`r(id text, content_type text, status text, version bigint, slug jsonb, fields jsonb, fallbacks jsonb)`,
  );
  return await db
    .insertInto('entries')
    .columns(['id', 'content_type', 'status', 'version', 'source', 'slug', 'fields', 'fallbacks'])
    .expression((eb) =>
      eb
        .selectFrom(given)
        .select(['r.id', 'r.content_type', 'r.status', 'r.version', sql<string>`'export'`.as('source')])
        .select(['r.slug', 'r.fields', 'r.fallbacks']),
    )
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet((eb) => ({
          content_type: eb.ref('excluded.content_type'),
          status: eb.ref('excluded.status'),
          version: eb.ref('excluded.version'),
          source: eb.ref('excluded.source'),
          slug: eb.ref('excluded.slug'),
          fields: eb.ref('excluded.fields'),
          fallbacks: eb.ref('excluded.fallbacks'),
          updated_at: sql`now()`,
        }))
        .whereRef('entries.version', '<=', 'excluded.version')
        .where((eb) =>
          eb.or([
            eb('entries.content_type', 'is distinct from', eb.ref('excluded.content_type')),
            eb('entries.status', 'is distinct from', eb.ref('excluded.status')),
            eb('entries.version', 'is distinct from', eb.ref('excluded.version')),
            eb('entries.source', 'is distinct from', eb.ref('excluded.source')),
            eb('entries.slug', 'is distinct from', eb.ref('excluded.slug')),
            eb('entries.fields', 'is distinct from', eb.ref('excluded.fields')),
            eb('entries.fallbacks', 'is distinct from', eb.ref('excluded.fallbacks')),
          ]),
        ),
    )
    .returning(['id', IS_NEW])
    .execute();
}

export async function putPlatformAssets(db: Db, rows: PlatformRow[]): Promise<{ id: string; isNew: boolean }[]> {
  const given = sql<Recordset<PlatformRow>>`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)`.as<'r'>(
    sql`r(id text, status text, version bigint, fields jsonb, fallbacks jsonb)`,
  );
  return await db
    .insertInto('platform_assets')
    .columns(['id', 'status', 'version', 'fields', 'fallbacks'])
    .expression((eb) => eb.selectFrom(given).select(['r.id', 'r.status', 'r.version', 'r.fields', 'r.fallbacks']))
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet((eb) => ({
          status: eb.ref('excluded.status'),
          version: eb.ref('excluded.version'),
          fields: eb.ref('excluded.fields'),
          fallbacks: eb.ref('excluded.fallbacks'),
          updated_at: sql`now()`,
        }))
        .whereRef('platform_assets.version', '<=', 'excluded.version')
        .where((eb) =>
          eb.or([
            eb('platform_assets.status', 'is distinct from', eb.ref('excluded.status')),
            eb('platform_assets.version', 'is distinct from', eb.ref('excluded.version')),
            eb('platform_assets.fields', 'is distinct from', eb.ref('excluded.fields')),
            eb('platform_assets.fallbacks', 'is distinct from', eb.ref('excluded.fallbacks')),
          ]),
        ),
    )
    .returning(['id', IS_NEW])
    .execute();
}
