import type { Locale } from '@officium/contract/common';
import { type RawBuilder, sql } from 'kysely';
import { IS_PUBLISHED_JOURNEY } from '#server/areas/catalogue/journey.sql.ts';
import { inTransaction, type Db } from '#server/db/client.ts';
import { type DocumentKind, type FoundRow, MATCH } from './document.rows.ts';

/** What a searcher may find, by id. */
export type Readable = {
  courses: string[];
  academies: string[];
  microcourses: string[];
  /** Null: all that are published. */
  journeys: string[] | null;
  /** Whose page they see, whose posts, and whose replies. */
  communities: string[];
  discussions: string[];
  replies: string[];
};

type Column = 'words' | 'title_words';

/** A page of one group of kinds. */
export type AskedPage = { group: string; kinds: DocumentKind[]; limit: number; offset: number };

/** As many texts that have the words are weighed against each other, the newest; and as many that have them as title. */
const WEIGHED = 400;

/** Days after which being new counts half as much. */
const FRESH_DAYS = 180;

/** What is asked, in the words of the person and as the index is asked: in any of the languages. */
export type SearchWords = { text: string; query: string };

export async function parseWords(db: Db, text: string): Promise<SearchWords> {
  const { rows } = await sql<SearchWords>`
    select ${text}::text as text, search_query(search_words(${text}))::text as query`.execute(db);
  return rows[0]!; // a select without a table has one row
}

/** The communities in which the searcher may find what is said. */
const placesOf = (kind: 'post' | 'reply', { discussions, replies }: Readable) =>
  kind === 'post' ? discussions : replies;

/** The texts of one kind that the searcher may find. */
function readableOf(kind: DocumentKind, readable: Readable): RawBuilder<unknown> {
  const { journeys } = readable;
  switch (kind) {
    case 'course':
      return sql`d.object_id = any(${readable.courses}::text[])`;
    case 'academy':
      return sql`d.object_id = any(${readable.academies}::text[])`;
    case 'microcourse':
      return sql`d.object_id = any(${readable.microcourses}::text[])`;
    case 'lesson':
      return journeys === null
        ? sql`exists (select from journeys j where j.key = d.journey_key and ${IS_PUBLISHED_JOURNEY})`
        : sql`d.journey_key = any(${journeys}::uuid[])`;
    case 'community':
      return sql`d.community_id = any(${readable.communities}::uuid[])`;
    case 'post':
    case 'reply':
      return sql`d.community_id = any(${placesOf(kind, readable)}::uuid[])`;
    case 'article':
      return sql`true`;
  }
}

/** Where the words may stand. Replies have no title: whoever looked for one would read them all. */
const columnsOf = (kind: DocumentKind): Column[] => (kind === 'reply' ? ['words'] : ['words', 'title_words']);

/** What is asked, in the language of a text. */
const own = (text: string) => sql`websearch_to_tsquery(search_configuration(d.locale), search_words(${text}))`;

/** The words to mark in an excerpt, in the language of its text. */
const marked = (text: string) => sql`marked_query(search_configuration(d.locale), ${text})`;

/**
 * The newest texts of a kind that have the words, weighed. The words are a value, not an expression, so that the plan
 * fits them: rare ones are looked up, frequent ones met on the way from the newest text down.
 */
function having(
  kind: DocumentKind,
  readable: Readable,
  { text, query }: SearchWords,
  column: Column,
): RawBuilder<unknown> {
  return sql`
    (select d.kind, d.object_id, d.locale, d.made_at,
      ts_rank_cd(d.words, ${query}::tsquery, 1)
        * (1 + 1 / (1 + extract(epoch from now() - d.made_at) / ${FRESH_DAYS * 86_400})) as rank
    from ${newest(kind, readable, { query, column })} d
    where d.words @@ ${own(text)})`;
}

/** Of what many write the newest are looked for day by day; of the catalogue there is little enough to look through it. */
function newest(
  kind: DocumentKind,
  readable: Readable,
  { query, column }: { query: string; column: Column },
): RawBuilder<unknown> {
  if (kind === 'post' || kind === 'reply')
    return sql`newest_search_documents(${kind}, ${query}::tsquery, ${column === 'title_words'}, ${placesOf(kind, readable)}::uuid[], ${WEIGHED})`;
  return sql`(
    select d.* from search_documents d
    where d.kind = ${kind} and ${readableOf(kind, readable)} and ${sql.ref(`d.${column}`)} @@ ${query}::tsquery
    order by d.made_at desc limit ${WEIGHED})`;
}

/** How much of a word's letters a title must have to be nearly it, from 0 to 1: one wrong letter in a word of six. */
const ALIKE = 0.5;

/**
 * The texts of a kind whose title has a word that is nearly the longest of those asked for, weighed by all of them;
 * replies have no title.
 */
function nearly(kind: DocumentKind, readable: Readable, text: string): RawBuilder<unknown>[] {
  const asked = text
    .split(/[\s"]+/)
    .filter((word) => word.length > 3)
    .toSorted((one, other) => other.length - one.length);
  const [longest] = asked;
  if (kind === 'reply' || longest === undefined) return [];
  const form = (word: string) => sql`search_form(${word}::text)`;
  const rank = sql.join(
    asked.map((word) => sql`word_similarity(${form(word)}, d.title_form)`),
    sql` + `,
  );
  return [
    sql`
    (select d.kind, d.object_id, d.locale, d.made_at, ${rank} as rank
    from (
      select * from search_documents d
      where d.kind = ${kind} and ${form(longest)} <% d.title_form and ${readableOf(kind, readable)}
      limit ${WEIGHED}) d)`,
  ];
}

/** Runs what looks for titles that are written almost so. */
export async function withLikeness<T>(db: Db, look: (db: Db) => Promise<T>): Promise<T> {
  return await inTransaction(db, async (trx) => {
    await sql`select set_config('pg_trgm.word_similarity_threshold', ${String(ALIKE)}, true)`.execute(trx);
    return await look(trx);
  });
}

/**
 * The texts that have the words, best first, of each group a page and one more; of a text in several languages the one
 * the reader knows best. `nearly`: by titles that are written almost so instead, within `withLikeness`.
 */
export async function findDocuments(
  db: Db,
  asked: AskedPage[],
  given: { words: SearchWords; locales: Locale[]; readable: Readable; nearly: boolean },
): Promise<FoundRow[]> {
  const { words, locales, readable } = given;
  const found = asked.flatMap(({ group, kinds }) =>
    kinds
      .filter((kind) => kind !== 'reply' || readable.replies.length > 0) // or all would be looked through for nothing
      .flatMap((kind) =>
        given.nearly
          ? nearly(kind, readable, words.text)
          : columnsOf(kind).map((column) => having(kind, readable, words, column)),
      )
      .map((query) => sql`select ${group}::text as "group", c.* from ${query} c`),
  );
  if (found.length === 0) return [];
  const pages = asked.map(
    ({ group, limit, offset }) =>
      sql`(select * from ranked where "group" = ${group} and place > ${offset} and place <= ${offset + limit + 1})`,
  );
  const marks = `StartSel=${MATCH[0]}, StopSel=${MATCH[1]}`;
  const { rows } = await sql<FoundRow>`
    with once as (
      select distinct on ("group", kind, object_id) * from (${sql.join(found, sql` union all `)}) found
      order by "group", kind, object_id, array_position(${locales}::text[], locale) nulls last, rank desc),
    ranked as (
      select *, row_number() over (partition by "group" order by rank desc, made_at desc, object_id) as place from once)
    select p."group", p.kind, p.object_id as id, p.locale, p.made_at as "madeAt",
      ts_headline(search_configuration(p.locale), search_words(d.title), ${own(words.text)},
        ${`HighlightAll=true, ${marks}`}) as title,
      ts_headline(search_configuration(p.locale),
        search_words(matching_part(d.body, search_configuration(p.locale), ${own(words.text)})), ${marked(words.text)},
        ${`MaxFragments=2, ShortWord=0, MinWords=8, MaxWords=26, FragmentDelimiter=" … ", ${marks}`}) as excerpt
    from (${sql.join(pages, sql` union all `)}) p
    join search_documents d on d.kind = p.kind and d.object_id = p.object_id and d.locale = p.locale
    order by p."group", p.place`.execute(db);
  return rows;
}
