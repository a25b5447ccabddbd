import type { Locale } from '@officium/contract/common';
import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';

export type Translated = { part: string; source: Locale; contentHash: Buffer; translation: string };
type Of = { thingId: string; target: Locale; engine: string };

export async function findTranslations(db: Db, { thingId, target, engine }: Of): Promise<Translated[]> {
  const { rows } = await sql<Translated>`
    select part, source, content_hash as "contentHash", translation from machine_translations
    where thing_id = ${thingId} and target = ${target} and engine = ${engine}`.execute(db);
  return rows;
}

export async function keepTranslations(db: Db, { thingId, target, engine }: Of, parts: Translated[]): Promise<void> {
  for (const { part, source, contentHash, translation } of parts)
    await sql`
      insert into machine_translations as m (thing_id, part, source, target, engine, content_hash, translation)
      values (${thingId}, ${part}, ${source}, ${target}, ${engine}, ${contentHash}, ${translation})
      on conflict (thing_id, target, engine, part) do update set source = excluded.source,
        content_hash = excluded.content_hash, translation = excluded.translation, made_at = now()`.execute(db);
}
