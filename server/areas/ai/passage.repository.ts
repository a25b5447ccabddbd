// Raw SQL: text search functions and operators over unnested arrays of words.
import type { Locale } from '@officium/contract/common';
import { type Expression, sql } from 'kysely';
import type { Db } from '#server/db/client.ts';
import type { Hit, WordHit } from './ranking.policy.ts';
import { stemmable } from './word-stem.format.ts';

/** The lessons and language to search. */
export type PassageScope = { lessonKeys: string[]; locale: Locale };

/** Lessons in `scope` with a text but without passages. */
export async function findUnsplit(db: Db, { lessonKeys, locale }: PassageScope): Promise<string[]> {
  const rows = await db
    .selectFrom('bodies as b')
    .select('b.lesson_key as key')
    .$narrowType<{ key: string }>()
    .where('b.lesson_key', '=', sql<string>`any(${lessonKeys}::uuid[])`)
    .where('b.locale', '=', locale)
    .where((eb) => {
      const sets = eb.selectFrom('passage_sets as s').select('s.locale').whereRef('s.lesson_key', '=', 'b.lesson_key');
      return eb.not(eb.exists(sets.whereRef('s.locale', '=', 'b.locale')));
    })
    .orderBy('b.lesson_key')
    .execute();
  return rows.map(({ key }) => key);
}

export type LessonText = { lesson_key: string; title: string; html: string };

/**
 * Claims lessons for splitting into passages and locks their texts until the transaction ends. Skips lessons that are
 * being changed.
 */
export async function claimTexts(db: Db, { lessonKeys, locale }: PassageScope): Promise<LessonText[]> {
  return await db
    .with('locked', (cte) =>
      cte
        .selectFrom('bodies as b')
        .select(['b.lesson_key', 'b.locale', 'b.title', 'b.html'])
        .$narrowType<{ lesson_key: string }>()
        .where('b.lesson_key', '=', sql<string>`any(${lessonKeys}::uuid[])`)
        .where('b.locale', '=', locale)
        .orderBy('b.lesson_key')
        .forShare()
        .skipLocked(),
    )
    .with('claimed', (cte) =>
      cte
        .insertInto('passage_sets')
        .columns(['lesson_key', 'locale'])
        .expression((eb) => eb.selectFrom('locked').select(['lesson_key', 'locale']).orderBy('lesson_key'))
        .onConflict((conflict) => conflict.doNothing())
        .returning('lesson_key'),
    )
    .selectFrom('claimed as c')
    .innerJoin('locked as t', 't.lesson_key', 'c.lesson_key')
    .innerJoin('lessons as l', 'l.key', 't.lesson_key')
    .select((eb) => {
      const titles = eb.ref('l.title');
      const title = sql<string>`coalesce(${titles}->>${eb.ref('t.locale')}, ${eb.ref('t.title')}, ${titles}->>'en', '')`;
      return ['t.lesson_key', 't.html', title.as('title')];
    })
    .execute();
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

const PASSAGE_COLUMNS = ['lesson_key', 'position', 'section', 'heading', 'anchor', 'is_example', 'body'] as const;

export async function insertPassages(db: Db, locale: Locale, passages: NewPassage[]): Promise<void> {
  const given = sql<NewPassage>`jsonb_to_recordset(${JSON.stringify(passages)}::jsonb)`;
  const vector = (words: Expression<string>) =>
    sql<string>`to_tsvector(search_configuration(${locale}), parser_safe(${words}))`;
  await db
    .insertInto('passages')
    .columns([...PASSAGE_COLUMNS, 'locale', 'words', 'heading_words'])
    .expression((eb) =>
      eb
        .selectFrom(
          given.as<'p'>(sql`p (lesson_key uuid, position int, section int, heading text, anchor text,
            is_example boolean, body text, words text, heading_words text)`),
        )
        .select(PASSAGE_COLUMNS)
        .select(({ ref }) => [
          sql<string>`${locale}`.as('locale'),
          vector(ref('p.words')).as('words'),
          vector(ref('p.heading_words')).as('heading_words'),
        ]),
    )
    .execute();
}

/** The lexemes of each word, in order. Stop words have none. */
export async function findLexemes(db: Db, words: string[], locale: Locale): Promise<string[][]> {
  const { rows } = await sql<{ lexemes: string[] }>`
    select tsvector_to_array(to_tsvector(search_configuration(${locale}), parser_safe(t.word))) as lexemes
    from unnest(${words.map((word) => stemmable(word, locale))}::text[]) with ordinality as t (word, position)
    order by t.position`.execute(db);
  return rows.map(({ lexemes }) => lexemes);
}

/** Quotes a lexeme as a tsquery. */
const asQuery = (lexeme: string) => `'${lexeme.replace(/['\\]/g, (character) => character + character)}'`;

/**
 * A lexeme to search for, the index of its word in the question, and its weight: 1 for the word itself, less for
 * synonyms.
 */
export type Term = { lexeme: string; word: number; worth: number };

/** Passages in `scope` that contain the terms. */
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

/** Number of passages in `scope`. */
export async function countPassages(db: Db, { lessonKeys, locale }: PassageScope): Promise<number> {
  const { total } = await db
    .selectFrom('passages')
    .select(sql<number>`count(*)::int`.as('total'))
    .where('lesson_key', '=', sql<string>`any(${lessonKeys}::uuid[])`)
    .where('locale', '=', locale)
    .executeTakeFirstOrThrow();
  return total;
}

/**
 * Passages with words spelled similarly to these, with the similarity from 0 to 1. `at` is the index in the question.
 */
export async function findSimilarSpellings(
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

/** Passages with their lesson and journey, in the given order. */
export async function findPassages(
  db: Db,
  locale: Locale,
  passages: { lesson: string; position: number }[],
): Promise<PassageRow[]> {
  const asked = sql<{ lesson: string; position: number; n: number }>`
    unnest(${passages.map(({ lesson }) => lesson)}::uuid[], ${passages.map(({ position }) => position)}::int[])
      with ordinality`;
  return await db
    .selectFrom(asked.as<'a'>(sql`a (lesson, position, n)`))
    .innerJoin('passages as p', (join) =>
      join.onRef('p.lesson_key', '=', 'a.lesson').onRef('p.position', '=', 'a.position').on('p.locale', '=', locale),
    )
    .innerJoin('bodies as b', (join) =>
      join.onRef('b.lesson_key', '=', 'p.lesson_key').onRef('b.locale', '=', 'p.locale'),
    )
    .innerJoin('lessons as l', 'l.key', 'p.lesson_key')
    .innerJoin('journeys as j', 'j.key', 'l.journey_key')
    .select(({ ref }) => {
      const titles = ref('l.title');
      const title = sql<string>`coalesce(${titles}->>${ref('p.locale')}, ${ref('b.title')}, ${titles}->>'en', '')`;
      return [
        'p.lesson_key as lesson',
        'p.position',
        'p.heading',
        'p.anchor',
        'p.body as text',
        'j.slug as journeySlug',
        'l.slug as lessonSlug',
        title.as('title'),
      ];
    })
    .orderBy('a.n')
    .execute();
}

/** Published lessons: all of the journeys in `whole`, only the first of those in `firstOnly`. */
export async function findLessonKeys(
  db: Db,
  { whole, firstOnly }: { whole: string[]; firstOnly: string[] },
): Promise<string[]> {
  const rows = await db
    .selectFrom('lessons as l')
    .select('l.key')
    .where('l.withdrawn_at', 'is', null)
    .where((eb) => {
      const first = eb
        .selectFrom('lessons as f')
        .select((of) => of.fn.min('f.position').as('position'))
        .whereRef('f.journey_key', '=', 'l.journey_key')
        .where('f.withdrawn_at', 'is', null);
      return eb.or([
        eb('l.journey_key', '=', sql<string>`any(${whole}::uuid[])`),
        eb.and([eb('l.journey_key', '=', sql<string>`any(${firstOnly}::uuid[])`), eb('l.position', '=', first)]),
      ]);
    })
    .orderBy('l.key')
    .execute();
  return rows.map(({ key }) => key);
}
