// Raw SQL: it only calls text search functions on an array.
import type { Locale } from '@officium/contract/common';
import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';
import { stemmable } from './word-stem.format.ts';

/** PostgreSQL's built-in text search configurations. Other languages use `simple`. */
const CONFIGURATIONS: Partial<Record<Locale, string>> = {
  ar: 'arabic',
  'pt-BR': 'portuguese',
  pt: 'portuguese',
  en: 'english',
  fr: 'french',
  'fr-CA': 'french',
  de: 'german',
  id: 'indonesian',
  it: 'italian',
  'es-419': 'spanish',
  es: 'spanish',
  'sr-Cyrl': 'serbian',
};

/** The lexemes of each text, in the order of the texts. */
export async function findLexemes(db: Db, texts: string[], locale: Locale): Promise<Set<string>[]> {
  const { rows } = await sql<{ lexemes: string[] }>`
    select tsvector_to_array(to_tsvector(${CONFIGURATIONS[locale] ?? 'simple'}::regconfig, parser_safe(t.text))) as lexemes
    from unnest(${texts.map((text) => stemmable(text, locale))}::text[]) with ordinality as t (text, position)
    order by t.position`.execute(db);
  return rows.map(({ lexemes }) => new Set(lexemes));
}
