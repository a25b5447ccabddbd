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
  /** Which of the texts it was found for. */
  position: number;
  /** How many words they share. */
  shared: number;
  /** Whether the statement has the text's first word. */
  has_first: boolean;
  /** The cosine of the two, their words weighed by how rare they are. */
  cosine: number;
  /** What part of the text's weight the statement has. */
  covered: number;
};

export type WordRow = {
  /** Of its text, from 1. */
  position: number;
  word: string;
  /** As it is written there, in lower case. */
  spelling: string;
  /** null when no statement has it. */
  weight: number | null;
};

/** The words of each text as the text search knows them, each once, in the order of the text. */
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

export type SpellingRow = { asked: string; word: string; weight: number; likeness: number };

/** For each spelling the word of the statements that is spelt most like it, by their trigrams. */
export async function findLikeSpellings(db: Db, spellings: readonly string[]): Promise<SpellingRow[]> {
  const { rows } = await sql<SpellingRow>`
    select distinct on (a.asked) a.asked, n.word, w.weight, n.likeness
    from unnest(${spellings}::text[]) as a (asked)
    cross join lateral (
      select spelling, word, similarity(spelling, a.asked) as likeness from job_spellings
      order by spelling <-> a.asked limit 5) n
    join job_words w on w.word = n.word
    order by a.asked, n.likeness desc, n.spelling`.execute(db);
  return rows;
}

export type AskedWord = { position: number; word: string; weight: number; is_first: boolean; is_sought: boolean };

/**
 * For each text, given by its words, the statements that resemble it most and share at least `words` of them: at most
 * `limit`, those of a higher cosine times the root of `covered` first.
 */
export async function findNearStatements(
  db: Db,
  asked: readonly AskedWord[],
  { words, limit }: { words: number; limit: number },
): Promise<NearRow[]> {
  const { rows } = await sql<NearRow>`
    with asked as materialized (
      select * from unnest(${asked.map(({ position }) => position)}::int[], ${asked.map(({ word }) => word)}::text[],
        ${asked.map(({ weight }) => weight)}::float8[], ${asked.map(({ is_first }) => is_first)}::boolean[],
        ${asked.map(({ is_sought }) => is_sought)}::boolean[]) as a (position, word, weight, is_first, is_sought)),
    sizes as materialized (select position, sum(weight * weight) as size from asked group by position),
    scored as (
      select a.position, p.statement_id, count(*)::int as shared, bool_or(a.is_first) as has_first,
        sum(a.weight * p.weight) / sqrt(z.size) as cosine, sum(a.weight * a.weight) / z.size as covered
      from asked a join sizes z using (position) join job_postings p on p.word = a.word and a.is_sought
      group by a.position, p.statement_id, z.size
      having count(*) >= ${words}),
    ranked as materialized (
      select * from (
        -- Rounded, for the order in which sums are added must not decide between equals.
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

/** How often all statements have which ratings. */
export async function findRatings(db: Db): Promise<RatingRow[]> {
  const { rows } = await sql<RatingRow>`
    select model_exposure, people_exposure, automation, count(*)::int as count
    from job_statements group by model_exposure, people_exposure, automation`.execute(db);
  return rows;
}

/** The statements of an occupation, the core ones first. */
export async function findOccupationStatements(db: Db, code: string, limit: number): Promise<StatementRow[]> {
  const { rows } = await sql<StatementRow>`
    select s.id, s.occupation_code, o.title as occupation_title, s.statement, s.model_exposure, s.people_exposure,
      s.automation
    from job_statements s join job_occupations o on o.code = s.occupation_code
    where s.occupation_code = ${code}
    order by s.kind <> 'core', s.id limit ${limit}`.execute(db);
  return rows;
}

export type OccupationRow = { code: string; title: string; cosine: number; covered: number };

/** The occupation whose title resembles a job's title most; undefined when they share no word. */
export async function getNearestOccupation(db: Db, jobTitle: string): Promise<OccupationRow | undefined> {
  const { rows } = await sql<OccupationRow>`
    with weights as materialized (
      select word, ln((select count(*) from job_occupations)::float8 / count(*)) as weight
      from job_occupations, unnest(words) as word group by word),
    asked as materialized (
      select l.word, coalesce(w.weight, (select max(weight) from weights)) as weight
      from unnest(tsvector_to_array(to_tsvector('english', parser_safe(${jobTitle})))) as l (word)
      left join weights w on w.word = l.word),
    scored as (
      select o.code, o.title,
        sum(a.weight * w.weight) / sqrt((select sum(weight * weight) from asked) * sum(w.weight * w.weight)) as cosine,
        coalesce(sum(a.weight * a.weight) / (select sum(weight * weight) from asked), 0) as covered
      from job_occupations o cross join lateral unnest(o.words) as x (word)
      join weights w on w.word = x.word left join asked a on a.word = x.word
      group by o.code, o.title)
    select code, title, cosine, covered from scored where cosine is not null
    order by round((cosine * sqrt(covered))::numeric, 6) desc, code limit 1`.execute(db);
  return rows[0];
}
