import type { Locale } from '@officium/contract/common';
import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';
import type { Hit, WordHit } from './ranking.policy.ts';
import { stemmable } from './word-stem.format.ts';

/** Lessons whose passages in a language are looked through. */
export type PassageScope = { lessonKeys: string[]; locale: Locale };

/** Those of `scope` that have a text but no passages yet. */
export async function findUnread(db: Db, { lessonKeys, locale }: PassageScope): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select b.lesson_key as key from bodies b
    where b.lesson_key = any(${lessonKeys}::uuid[]) and b.locale = ${locale}
      and not exists (select from passage_sets s where s.lesson_key = b.lesson_key and s.locale = b.locale)
    order by 1`.execute(db);
  return rows.map(({ key }) => key);
}

export type LessonText = { lesson_key: string; title: string; html: string };

/**
 * Takes lessons for cutting into passages: nobody else has them, and nobody changes their texts until this transaction
 * ends. Lessons that are being changed are left out.
 */
export async function claimTexts(db: Db, { lessonKeys, locale }: PassageScope): Promise<LessonText[]> {
  const { rows } = await sql<LessonText>`
    with locked as (
      select b.lesson_key, b.locale, b.title, b.html from bodies b
      where b.lesson_key = any(${lessonKeys}::uuid[]) and b.locale = ${locale}
      order by b.lesson_key for share skip locked),
    claimed as (
      insert into passage_sets (lesson_key, locale) select lesson_key, locale from locked order by 1
      on conflict do nothing returning lesson_key)
    select t.lesson_key, t.html, coalesce(l.title->>t.locale, t.title, l.title->>'en', '') as title
    from claimed c join locked t using (lesson_key) join lessons l on l.key = t.lesson_key`.execute(db);
  return rows;
}

export type NewPassage = {
  lesson_key: string;
  position: number;
  section: number;
  heading: string | null;
  anchor: string | null;
  is_example: boolean;
  body: string;
  words: string;
  heading_words: string;
};

export async function insertPassages(db: Db, locale: Locale, passages: NewPassage[]): Promise<void> {
  await sql`
    insert into passages (lesson_key, locale, position, section, heading, anchor, is_example, body, words, heading_words)
    select p.lesson_key, ${locale}, p.position, p.section, p.heading, p.anchor, p.is_example, p.body,
      to_tsvector(search_configuration(${locale}), parser_safe(p.words)),
      to_tsvector(search_configuration(${locale}), parser_safe(p.heading_words))
    from jsonb_to_recordset(${JSON.stringify(passages)}::jsonb) as p (lesson_key uuid, position int, section int,
      heading text, anchor text, is_example boolean, body text, words text, heading_words text)`.execute(db);
}

/** The lexemes of each word, in the order of the words; none of a stop word. */
export async function findLexemes(db: Db, words: string[], locale: Locale): Promise<string[][]> {
  const { rows } = await sql<{ lexemes: string[] }>`
    select tsvector_to_array(to_tsvector(search_configuration(${locale}), parser_safe(t.word))) as lexemes
    from unnest(${words.map((word) => stemmable(word, locale))}::text[]) with ordinality as t (word, position)
    order by t.position`.execute(db);
  return rows.map(({ lexemes }) => lexemes);
}

/** A lexeme as a query of its own, whatever characters are in it. */
const asQuery = (lexeme: string) => `'${lexeme.replace(/['\\]/g, (character) => character + character)}'`;

/** A lexeme to look for: of which word of the question, and what it is worth to find it, 1 for the word's own. */
export type Term = { lexeme: string; word: number; worth: number };

/** Where in `scope` these stand. */
export async function findHits(db: Db, { lessonKeys, locale }: PassageScope, terms: Term[]): Promise<Hit[]> {
  const { rows } = await sql<Hit>`
    select p.lesson_key as lesson, p.position, p.section, a.word, a.worth, p.words @@ a.q as "isOwn",
      p.is_example as "isExample"
    from unnest(${terms.map(({ lexeme }) => asQuery(lexeme))}::tsquery[], ${terms.map(({ word }) => word)}::int[],
      ${terms.map(({ worth }) => worth)}::float8[]) as a (q, word, worth)
    join passages p on (p.words || p.heading_words) @@ a.q
    where p.lesson_key = any(${lessonKeys}::uuid[]) and p.locale = ${locale}`.execute(db);
  return rows;
}

/** How many passages there are. */
export async function countPassages(db: Db, { lessonKeys, locale }: PassageScope): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::int as total from passages where lesson_key = any(${lessonKeys}::uuid[]) and locale = ${locale}`.execute(
    db,
  );
  return rows[0]?.total ?? 0;
}

/** Where words stand that are spelled nearly like these, `at` their places in the question, with how alike they are, from 0 to 1. */
export async function findNearly(
  db: Db,
  { lessonKeys, locale }: PassageScope,
  words: { word: string; at: number }[],
): Promise<WordHit[]> {
  if (words.length === 0) return [];
  const { rows } = await sql<WordHit>`
    select p.lesson_key as lesson, p.position, p.section, a.at as word,
      strict_word_similarity(a.word, p.body)::float8 as likeness
    from unnest(${words.map(({ word }) => word)}::text[], ${words.map(({ at }) => at)}::int[]) as a (word, at)
    join passages p on a.word <<% p.body
    where p.lesson_key = any(${lessonKeys}::uuid[]) and p.locale = ${locale}`.execute(db);
  return rows;
}

export type PassageRow = {
  lesson: string;
  position: number;
  heading: string | null;
  anchor: string | null;
  text: string;
  title: string;
  journeySlug: string;
  lessonSlug: string;
};

/** Passages with where they stand, in the order they are asked for. */
export async function findPassages(
  db: Db,
  locale: Locale,
  places: { lesson: string; position: number }[],
): Promise<PassageRow[]> {
  const { rows } = await sql<PassageRow>`
    select p.lesson_key as lesson, p.position, p.heading, p.anchor, p.body as text, j.slug as "journeySlug",
      l.slug as "lessonSlug", coalesce(l.title->>p.locale, b.title, l.title->>'en', '') as title
    from unnest(${places.map(({ lesson }) => lesson)}::uuid[], ${places.map(({ position }) => position)}::int[])
      with ordinality as a (lesson, position, n)
    join passages p on p.lesson_key = a.lesson and p.position = a.position and p.locale = ${locale}
    join bodies b on b.lesson_key = p.lesson_key and b.locale = p.locale
    join lessons l on l.key = p.lesson_key join journeys j on j.key = l.journey_key
    order by a.n`.execute(db);
  return rows;
}

/** The first lessons of journeys, and all lessons of others, as the catalogue has them now. */
export async function findLessonKeys(
  db: Db,
  { whole, firstOnly }: { whole: string[]; firstOnly: string[] },
): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select l.key from lessons l
    where l.withdrawn_at is null and (l.journey_key = any(${whole}::uuid[])
      or l.journey_key = any(${firstOnly}::uuid[]) and l.position = (
        select min(f.position) from lessons f where f.journey_key = l.journey_key and f.withdrawn_at is null))
    order by l.key`.execute(db);
  return rows.map(({ key }) => key);
}
