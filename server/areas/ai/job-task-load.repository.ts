import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';
import type { Occupation } from './job-task-file.format.ts';

/** The version of what is loaded; undefined before the first time. */
export async function getLoadedVersion(db: Db): Promise<string | undefined> {
  const { rows } = await sql<{ version: string }>`select version from job_task_load`.execute(db);
  return rows[0]?.version;
}

/** Until the end of the transaction, which may take its time, nobody else loads. */
export async function lockLoad(db: Db): Promise<void> {
  await sql`set local statement_timeout = '120s'`.execute(db);
  await sql`select pg_advisory_xact_lock(hashtextextended('job_task_load', 0))`.execute(db);
}

/**
 * Puts these occupations in the place of what was there, and makes the words and postings by which they are found. In
 * the caller's transaction: readers see the old until it commits.
 */
export async function replaceOccupations(db: Db, occupations: readonly Occupation[], version: string): Promise<void> {
  await sql`delete from job_postings`.execute(db);
  await sql`delete from job_spellings`.execute(db);
  await sql`delete from job_words`.execute(db);
  await sql`delete from job_statements`.execute(db);
  await sql`delete from job_occupations`.execute(db);
  await insertOccupations(db, occupations);
  await insertWords(db);
  await sql`
    insert into job_task_load (version) values (${version})
    on conflict (is_only) do update set version = excluded.version, loaded_at = now()`.execute(db);
}

async function insertOccupations(db: Db, occupations: readonly Occupation[]): Promise<void> {
  await sql`
    insert into job_occupations (code, title, words)
    select code, title, tsvector_to_array(to_tsvector('english', title))
    from unnest(${occupations.map(({ code }) => code)}::text[], ${occupations.map(({ title }) => title)}::text[])
      as o (code, title)`.execute(db);
  const statements = occupations.flatMap(({ code, statements }) =>
    statements.map(({ id, text, kind, model, people, automationGrade }) => ({
      id,
      occupation_code: code,
      statement: text,
      kind,
      model_exposure: model,
      people_exposure: people,
      automation: automationGrade / 4,
    })),
  );
  await sql`
    insert into job_statements (id, occupation_code, statement, kind, model_exposure, people_exposure, automation)
    select id, occupation_code, statement, kind, model_exposure, people_exposure, automation
    from jsonb_to_recordset(${JSON.stringify(statements)}) as s (id integer, occupation_code text, statement text,
      kind text, model_exposure text, people_exposure text, automation real)`.execute(db);
}

/** A word weighs the logarithm of how rare it is; each statement's weights are brought to length one. */
async function insertWords(db: Db): Promise<void> {
  await sql`
    insert into job_postings (word, statement_id, weight)
    with found as (
      select id, unnest(tsvector_to_array(to_tsvector('english', statement))) as word from job_statements),
    weighed as (
      select word, ln((select count(*) from job_statements)::float8 / count(*)) as weight from found group by word)
    select word, id, weight / sqrt(sum(weight * weight) over (partition by id)) from found join weighed using (word)
    where weight > 0 order by word, id`.execute(db); // neighbours in the index are then neighbours on disk
  await sql`
    insert into job_words (word, weight)
    select word, ln((select count(*) from job_statements)::float8 / count(*)) from job_postings group by word`.execute(
    db,
  );
  await sql`
    insert into job_spellings (spelling, word)
    with spelt as (
      select distinct lower(found[1]) as spelling
      from job_statements, regexp_matches(statement, '[[:alpha:]]{5,}', 'g') as found)
    select spelling, word from spelt join job_words on word = any (tsvector_to_array(to_tsvector('english', spelling)))
    on conflict do nothing`.execute(db);
  // The planner must know these sizes before the first question, not when autovacuum comes by.
  await sql`analyze job_postings`.execute(db);
  await sql`analyze job_words`.execute(db);
  await sql`analyze job_spellings`.execute(db);
}
