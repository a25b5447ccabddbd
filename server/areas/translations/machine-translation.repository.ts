import type { Locale } from '@officium/contract/common';
import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';

export type Translated = { part: string; source: Locale; contentHash: Buffer; translation: string };
type TranslationKey = { thingId: string; target: Locale; engine: string };

export async function findTranslations(db: Db, { thingId, target, engine }: TranslationKey): Promise<Translated[]> {
  return await db
    .selectFrom('machine_translations')
    .select(['part', 'source', 'content_hash as contentHash', 'translation'])
    .where('thing_id', '=', thingId)
    .where('target', '=', target)
    .where('engine', '=', engine)
    .$narrowType<{ source: Locale }>()
    .execute();
}

export async function keepTranslations(
  db: Db,
  { thingId, target, engine }: TranslationKey,
  parts: Translated[],
): Promise<void> {
  for (const { part, source, contentHash, translation } of parts)
    await db
      .insertInto('machine_translations')
      .values({ thing_id: thingId, part, source, target, engine, content_hash: contentHash, translation })
      .onConflict((conflict) =>
        conflict.columns(['thing_id', 'target', 'engine', 'part']).doUpdateSet((eb) => ({
          source: eb.ref('excluded.source'),
          content_hash: eb.ref('excluded.content_hash'),
          translation: eb.ref('excluded.translation'),
          made_at: sql`now()`,
        })),
      )
      .execute();
}
