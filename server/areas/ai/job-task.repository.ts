// Raw SQL: lateral joins over text search functions, and ranking with window functions.
import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';
import type { Exposure } from './job-task-file.format.ts';

export type StatementRow = {
  id: number;
  occupation_code: string;
  occupation_title: string;
  statement: string;
  model_exposure: Exposure;
  people_exposure: Exposure;
  automation: number;
};
export type NearRow = StatementRow & {
  /** Number of the text it was found for, from 1. */
  position: number;
  /** Number of shared words. */
  shared: number;
  /** Whether the statement contains the text's first word. */
  has_first: boolean;
  /** Cosine similarity with words weighted by rarity. */
  cosine: number;
  /** Share of the text's weight that the statement covers. */
  covered: number;
};

export type WordRow = {
  /** Number of the text, from 1. */
  position: number;
  word: string;
  /** As written in the text, in lower case. */
  spelling: string;
  /** null if no statement contains it. */
  weight: number | null;
};

/** The distinct lexemes of each text, in text order. */
export async function findWords(db: Db, texts: readonly string[]): Promise<WordRow[]> {
  const { rows } = await sql<WordRow>`
    select a.position::int, l.word, min(lower(p.token)) as spelling, w.weight
    from unnest(${texts}::text[]) with ordinality as a (text, position)
    cross join lateral ts_parse('default', parser_safe(a.text)) with ordinality as p (kind, token, place)
    cross join lateral unnest(tsvector_to_array(to_tsvector('english', parser_safe(p.token)))) as l (word)
    left join lateral (select weight from job_words where word = l.word limit 1) w on true
    group by a.position, l.word, w.weight
    order by a.position, min(p.place), l.word`.execute(db);
  return rows;
}

export type SpellingRow = { given: string; word: string; weight: number; likeness: number };

/** For each spelling, the most similar word in the statements, by trigrams. */
export async function findLikeSpellings(db: Db, spellings: readonly string[]): Promise<SpellingRow[]> {
  const { rows } = await sql<SpellingRow>`
    select distinct on (a.given) a.given, n.word, w.weight, n.likeness
    from unnest(${spellings}::text[]) as a (given)
    cross join lateral (
      select spelling, word, similarity(spelling, a.given) as likeness from job_spellings
      order by spelling <-> a.given limit 5) n
    join job_words w on w.word = n.word
    order by a.given, n.likeness desc, n.spelling`.execute(db);
  return rows;
}

export type QueryWord = { position: number; word: string; weight: number; is_first: boolean; is_sought: boolean };

/**
 * For each text, the most similar statements that share at least `words` words with it: at most `limit`, ordered by
 * cosine times the square root of `covered`.
 */
export async function findNearStatements(
  db: Db,
  query: readonly QueryWord[],
  { words, limit }: { words: number; limit: number },
): Promise<NearRow[]> {
  const { rows } = await sql<NearRow>`
    with query as materialized (
      select * from unnest(${query.map(({ position }) => position)}::int[], ${query.map(({ word }) => word)}::text[],
        ${query.map(({ weight }) => weight)}::float8[], ${query.map(({ is_first }) => is_first)}::boolean[],
        ${query.map(({ is_sought }) => is_sought)}::boolean[]) as a (position, word, weight, is_first, is_sought)),
    sizes as materialized (select position, sum(weight * weight) as size from query group by position),
    scored as (
      select a.position, p.statement_id, count(*)::int as shared, bool_or(a.is_first) as has_first,
        sum(a.weight * p.weight) / sqrt(z.size) as cosine, sum(a.weight * a.weight) / z.size as covered
      from query a join sizes z using (position) join job_postings p on p.word = a.word and a.is_sought
      group by a.position, p.statement_id, z.size
      having count(*) >= ${words}),
    ranked as materialized (
      select * from (
        -- Rounded, so that floating-point noise does not decide between equal statements.
        select *, row_number() over (
          partition by position order by round((cosine * sqrt(covered))::numeric, 6) desc, statement_id) as rank
        from scored) r
      where rank <= ${limit})
    select r.position, r.shared, r.has_first, r.cosine, r.covered, s.id, s.occupation_code,
      o.title as occupation_title, s.statement, s.model_exposure, s.people_exposure, s.automation
    from ranked r
    join lateral (select * from job_statements where id = r.statement_id limit 1) s on true
    join job_occupations o on o.code = s.occupation_code
    order by r.position, r.rank`.execute(db);
  return rows;
}

export type RatingRow = Pick<StatementRow, 'model_exposure' | 'people_exposure' | 'automation'> & { count: number };

/** Counts statements by their ratings. */
export async function findRatings(db: Db): Promise<RatingRow[]> {
  return await db
    .selectFrom('job_statements')
    .select(['model_exposure', 'people_exposure', 'automation', sql<number>`count(*)::int`.as('count')])
    .$narrowType<{ model_exposure: Exposure; people_exposure: Exposure }>()
    .groupBy(['model_exposure', 'people_exposure', 'automation'])
    .execute();
}

/** The statements of an occupation, core ones first. */
export async function findOccupationStatements(db: Db, code: string, limit: number): Promise<StatementRow[]> {
  return await db
    .selectFrom('job_statements as s')
    .innerJoin('job_occupations as o', 'o.code', 's.occupation_code')
    .select([
      's.id',
      's.occupation_code',
      'o.title as occupation_title',
      's.statement',
      's.model_exposure',
      's.people_exposure',
      's.automation',
    ])
    .$narrowType<{ model_exposure: Exposure; people_exposure: Exposure }>()
    .where('s.occupation_code', '=', code)
    .orderBy((eb) => eb('s.kind', '<>', 'core'))
    .orderBy('s.id')
    .limit(limit)
    .execute();
}

export type OccupationRow = { code: string; title: string; cosine: number; covered: number };

/** The occupation with the most similar title. Undefined if no title shares a word. */
export async function getNearestOccupation(db: Db, jobTitle: string): Promise<OccupationRow | undefined> {
  const { rows } = await sql<OccupationRow>`
    with weights as materialized (
      select word, ln((select count(*) from job_occupations)::float8 / count(*)) as weight
      from job_occupations, unnest(words) as word group by word),
    query as materialized (
      select l.word, coalesce(w.weight, (select max(weight) from weights)) as weight
      from unnest(tsvector_to_array(to_tsvector('english', parser_safe(${jobTitle})))) as l (word)
      left join weights w on w.word = l.word),
    scored as (
      select o.code, o.title,
        sum(a.weight * w.weight) / sqrt((select sum(weight * weight) from query) * sum(w.weight * w.weight)) as cosine,
        coalesce(sum(a.weight * a.weight) / (select sum(weight * weight) from query), 0) as covered
      from job_occupations o cross join lateral unnest(o.words) as x (word)
      join weights w on w.word = x.word left join query a on a.word = x.word
      group by o.code, o.title)
    select code, title, cosine, covered from scored where cosine is not null
    order by round((cosine * sqrt(covered))::numeric, 6) desc, code limit 1`.execute(db);
  return rows[0];
}
