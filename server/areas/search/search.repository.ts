// Raw SQL: full-text and trigram operators, `ts_headline`, and a union whose parts depend on the query.
import type { Locale } from '@officium/contract/common';
import { type RawBuilder, sql } from 'kysely';
import { IS_PUBLISHED_JOURNEY } from '#server/areas/catalogue/journey.sql.ts';
import { inTransaction, runPrepared, type Db } from '#server/db/client.ts';
import { type DocumentKind, type FoundRow, MATCH } from './document.rows.ts';

/** The ids of everything the viewer may read. */
export type Readable = {
  courses: string[];
  academies: string[];
  microcourses: string[];
  editorials: string[];
  /** Null: all published journeys. */
  journeys: string[] | null;
  /** Communities whose page, posts and replies the viewer may read. */
  communities: string[];
  discussions: string[];
  replies: string[];
};

/** The filters of a search. Days are dates in UTC. */
export type Filters = {
  language?: Locale | undefined;
  authorId?: string | undefined;
  lastDays?: number | undefined;
  from?: string | undefined;
  to?: string | undefined;
};

type Column = 'words' | 'title_words';

/** A requested page of one group of kinds. */
export type GroupPage = { group: string; kinds: DocumentKind[]; limit: number; offset: number };

/** The newest matches that are ranked, for texts and for titles each. */
const MAX_RANKED = 400;

/** Age in days at which the bonus for new texts is halved. */
const FRESH_DAYS = 180;

/** A query as typed, and as a tsquery that matches in any of the languages. */
export type SearchWords = { text: string; query: string };

export async function parseWords(db: Db, text: string): Promise<SearchWords> {
  const [words] = await runPrepared(
    db,
    sql<SearchWords>`select ${text}::text as text, search_query(search_words(${text}))::text as query`,
  );
  return words!; // one row without a table
}

/** The communities whose posts or replies the viewer may read. */
const communitiesOf = (kind: 'post' | 'reply', { discussions, replies }: Readable) =>
  kind === 'post' ? discussions : replies;

/** The condition for documents of one kind that the viewer may read. */
function readableOf(kind: DocumentKind, readable: Readable): RawBuilder<unknown> {
  const { journeys } = readable;
  switch (kind) {
    case 'course':
      return sql`d.object_id = any(${readable.courses}::text[])`;
    case 'academy':
      return sql`d.object_id = any(${readable.academies}::text[])`;
    case 'microcourse':
      return sql`d.object_id = any(${readable.microcourses}::text[])`;
    case 'question':
    case 'solution':
    case 'hub':
    case 'event':
      return sql`d.object_id = any(${readable.editorials}::text[])`;
    case 'lesson':
      return journeys === null
        ? sql`exists (select from journeys j where j.key = d.journey_key and ${IS_PUBLISHED_JOURNEY})`
        : sql`d.journey_key = any(${journeys}::uuid[])`;
    // A withdrawn lesson keeps its discussions in the index.
    case 'discussion':
      return sql`exists (select from activities a join lessons l on l.key = a.lesson_key and l.withdrawn_at is null
        where a.id = d.activity_id) and ${readableOf('lesson', readable)}`;
    case 'community':
      return sql`d.community_id = any(${readable.communities}::uuid[])`;
    case 'post':
    case 'reply':
      return sql`d.community_id = any(${communitiesOf(kind, readable)}::uuid[])`;
    case 'article':
      return sql`true`;
  }
}

/** The texts of a person who is not erased, by kind. */
const WRITTEN_BY: Partial<Record<DocumentKind, (authorId: string) => RawBuilder<unknown>>> = {
  post: (authorId) => sql`select a.id::text from activities a where a.author_id = ${authorId} and a.deleted_at is null`,
  reply: (authorId) => sql`
    select r.id::text from reactions r where r.user_id = ${authorId} and r.kind = 'reply' and r.deleted_at is null`,
  discussion: (authorId) => sql`
    select a.id::text from activities a where a.author_id = ${authorId} and a.deleted_at is null union all
    select r.id::text from reactions r where r.user_id = ${authorId} and r.kind = 'reply' and r.deleted_at is null`,
  article: (authorId) =>
    sql`select r.id::text from articles r where r.author_id = ${authorId} and r.withdrawn_at is null`,
};

/** The kinds with an author and a time of their own. */
export const isWritten = (kind: DocumentKind) => WRITTEN_BY[kind] !== undefined;

/** The first moment, or null without one. */
const since = ({ lastDays, from }: Filters) =>
  sql`greatest(now() - ${lastDays ?? null}::integer * interval '1 day', ${from ?? null}::date::timestamp at time zone 'UTC')`;

/** The moment after the last, or null without one. */
const until = ({ to }: Filters) => sql`((${to ?? null}::date + 1)::timestamp at time zone 'UTC')`;

/** The condition for documents of one kind that pass the filters. */
function passing(kind: DocumentKind, filters: Filters): RawBuilder<unknown> {
  const { language, authorId, lastDays, from, to } = filters;
  const writtenBy = WRITTEN_BY[kind];
  return sql.join(
    [
      sql`true`,
      ...(language ? [sql`d.locale = ${language}`] : []),
      ...(lastDays || from ? [sql`d.made_at >= ${since(filters)}`] : []),
      ...(to ? [sql`d.made_at < ${until(filters)}`] : []),
      ...(authorId && writtenBy
        ? [
            sql`d.object_id in (${writtenBy(authorId)}
              and exists (select from users u where u.id = ${authorId} and u.erased_at is null))`,
          ]
        : []),
    ],
    sql` and `,
  );
}

/** Replies and lesson discussions have no title. */
const hasTitle = (kind: DocumentKind) => kind !== 'reply' && kind !== 'discussion';

/** The indexed columns of a kind. Without titles, a search of them would scan all texts. */
const columnsOf = (kind: DocumentKind): Column[] => (hasTitle(kind) ? ['words', 'title_words'] : ['words']);

/** The query, parsed in the language of the document. */
const parsed = (text: string) => sql`websearch_to_tsquery(search_configuration(d.locale), search_words(${text}))`;

/** The words to mark in an excerpt, in the language of the document. */
const marked = (text: string) => sql`marked_query(search_configuration(d.locale), ${text})`;

/**
 * The newest documents of a kind that match, ranked. The query is a value, not an expression, so that the plan fits it: an
 * index lookup for rare words, a scan from the newest document for frequent ones.
 */
function matching(
  kind: DocumentKind,
  readable: Readable,
  { words: { text, query }, column, filters }: { words: SearchWords; column: Column; filters: Filters },
): RawBuilder<unknown> {
  return sql`
    (select d.kind, d.object_id, d.locale, d.made_at,
      ts_rank_cd(d.words, ${query}::tsquery, 1)
        * (1 + 1 / (1 + extract(epoch from now() - d.made_at) / ${FRESH_DAYS * 86_400})) as rank
    from ${newest(kind, readable, { query, column, filters })} d
    where d.words @@ ${parsed(text)})`;
}

/**
 * Posts and replies are searched day by day from the newest. The catalogue, and the texts of one author, are few enough for
 * one statement.
 */
function newest(
  kind: DocumentKind,
  readable: Readable,
  { query, column, filters }: { query: string; column: Column; filters: Filters },
): RawBuilder<unknown> {
  if ((kind === 'post' || kind === 'reply') && !filters.authorId)
    return sql`newest_search_documents(${kind}, ${query}::tsquery, ${column === 'title_words'}, ${communitiesOf(kind, readable)}::uuid[], ${MAX_RANKED}, ${filters.language ?? null}, ${since(filters)}, ${until(filters)})`;
  return sql`(
    select d.* from search_documents d
    where d.kind = ${kind} and ${readableOf(kind, readable)} and ${sql.ref(`d.${column}`)} @@ ${query}::tsquery
      and ${passing(kind, filters)}
    order by d.made_at desc limit ${MAX_RANKED})`;
}

/** The trigram similarity of a match, from 0 to 1: about one wrong letter in a word of six. */
const MIN_SIMILARITY = 0.5;

/**
 * The documents of a kind with a title similar to the longest word of the query, ranked by the similarity of all words.
 */
function similar(
  kind: DocumentKind,
  readable: Readable,
  { text, filters }: { text: string; filters: Filters },
): RawBuilder<unknown>[] {
  const words = text
    .split(/[\s"]+/)
    .filter((word) => word.length > 3)
    .toSorted((one, other) => other.length - one.length);
  const [longest] = words;
  if (!hasTitle(kind) || longest === undefined) return [];
  const form = (word: string) => sql`search_form(${word}::text)`;
  const rank = sql.join(
    words.map((word) => sql`word_similarity(${form(word)}, d.title_form)`),
    sql` + `,
  );
  return [
    sql`
    (select d.kind, d.object_id, d.locale, d.made_at, ${rank} as rank
    from (
      select * from search_documents d
      where d.kind = ${kind} and ${form(longest)} <% d.title_form and ${readableOf(kind, readable)}
        and ${passing(kind, filters)}
      limit ${MAX_RANKED}) d)`,
  ];
}

/** Runs a search for similar titles with its similarity threshold set. */
export async function withSimilarity<T>(db: Db, search: (db: Db) => Promise<T>): Promise<T> {
  return await inTransaction(db, async (trx) => {
    await sql`select set_config('pg_trgm.word_similarity_threshold', ${String(MIN_SIMILARITY)}, true)`.execute(trx);
    return await search(trx);
  });
}

/**
 * The matching documents of each group, best first: one page and one more row. A text in several languages appears once, in
 * the viewer's preferred one. `bySimilarity` searches for similar titles instead, inside `withSimilarity`.
 */
export async function findDocuments(
  db: Db,
  groups: GroupPage[],
  options: { words: SearchWords; locales: Locale[]; readable: Readable; filters: Filters; bySimilarity: boolean },
): Promise<FoundRow[]> {
  const { words, locales, readable, filters } = options;
  const found = groups.flatMap(({ group, kinds }) =>
    kinds
      .filter((kind) => kind !== 'reply' || readable.replies.length > 0) // would scan all replies for no result
      .flatMap((kind) =>
        options.bySimilarity
          ? similar(kind, readable, { text: words.text, filters })
          : columnsOf(kind).map((column) => matching(kind, readable, { words, column, filters })),
      )
      .map((query) => sql`select ${group}::text as "group", c.* from ${query} c`),
  );
  if (found.length === 0) return [];
  const pages = groups.map(
    ({ group, limit, offset }) =>
      sql`(select * from ranked where "group" = ${group} and position > ${offset} and position <= ${offset + limit + 1})`,
  );
  const marks = `StartSel=${MATCH[0]}, StopSel=${MATCH[1]}`;
  const { rows } = await sql<FoundRow>`
    with once as (
      select distinct on ("group", kind, object_id) * from (${sql.join(found, sql` union all `)}) found
      order by "group", kind, object_id, array_position(${locales}::text[], locale) nulls last, rank desc),
    ranked as (
      select *, row_number() over (partition by "group" order by rank desc, made_at desc, object_id) as position from once)
    select p."group", p.kind, p.object_id as id, p.locale, p.made_at as "madeAt",
      ts_headline(search_configuration(p.locale), search_words(d.title), ${parsed(words.text)},
        ${`HighlightAll=true, ${marks}`}) as title,
      ts_headline(search_configuration(p.locale),
        search_words(matching_part(d.body, search_configuration(p.locale), ${parsed(words.text)})), ${marked(words.text)},
        ${`MaxFragments=2, ShortWord=0, MinWords=8, MaxWords=26, FragmentDelimiter=" … ", ${marks}`}) as excerpt
    from (${sql.join(pages, sql` union all `)}) p
    join search_documents d on d.kind = p.kind and d.object_id = p.object_id and d.locale = p.locale
    order by p."group", p.position`.execute(db);
  return rows;
}
