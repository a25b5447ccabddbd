import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';

export type PlatformRow = {
  id: string;
  status: 'published' | 'draft';
  version: number;
  fields: Record<string, unknown>;
  fallbacks: Record<string, string | null>;
};
export type PlatformEntryRow = PlatformRow & { content_type: string; slug: Record<string, string> };

/** Stores entries of an export. One that a later event brought further stays; one that is so already is not touched. */
export async function putPlatformEntries(db: Db, rows: PlatformEntryRow[]): Promise<{ id: string; isNew: boolean }[]> {
  const { rows: changed } = await sql<{ id: string; is_new: boolean }>`
    insert into entries as e (id, content_type, status, version, source, slug, fields, fallbacks)
    select r.id, r.content_type, r.status, r.version, 'export', r.slug, r.fields, r.fallbacks
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as r(id text, content_type text, status text, version bigint, slug jsonb, fields jsonb, fallbacks jsonb)
    on conflict (id) do update set content_type = excluded.content_type, status = excluded.status, version = excluded.version,
      source = excluded.source, slug = excluded.slug, fields = excluded.fields, fallbacks = excluded.fallbacks, updated_at = now()
    where e.version <= excluded.version and (e.content_type, e.status, e.version, e.source, e.slug, e.fields, e.fallbacks)
      is distinct from (excluded.content_type, excluded.status, excluded.version, excluded.source, excluded.slug, excluded.fields, excluded.fallbacks)
    returning id, xmax = 0 as is_new`.execute(db);
  return changed.map(({ id, is_new }) => ({ id, isNew: is_new }));
}

export async function putPlatformAssets(db: Db, rows: PlatformRow[]): Promise<{ id: string; isNew: boolean }[]> {
  const { rows: changed } = await sql<{ id: string; is_new: boolean }>`
    insert into platform_assets as a (id, status, version, fields, fallbacks)
    select r.id, r.status, r.version, r.fields, r.fallbacks
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as r(id text, status text, version bigint, fields jsonb, fallbacks jsonb)
    on conflict (id) do update set status = excluded.status, version = excluded.version, fields = excluded.fields,
      fallbacks = excluded.fallbacks, updated_at = now()
    where a.version <= excluded.version and (a.status, a.version, a.fields, a.fallbacks)
      is distinct from (excluded.status, excluded.version, excluded.fields, excluded.fallbacks)
    returning id, xmax = 0 as is_new`.execute(db);
  return changed.map(({ id, is_new }) => ({ id, isNew: is_new }));
}
