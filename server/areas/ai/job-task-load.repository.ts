// Raw SQL: the inserts compute their rows from arrays and text search functions.
import { sql } from 'kysely';
import { lockName } from '#server/db/advisory-lock.ts';
import type { Db } from '#server/db/client.ts';
import type { Occupation } from './job-task-file.format.ts';

/** Version of the loaded data. Undefined before the first load. */
export async function getLoadedVersion(db: Db): Promise<string | undefined> {
  const row = await db.selectFrom('job_task_load').select('version').executeTakeFirst();
  return row?.version;
}

/** Prevents other loads until the transaction ends, and raises its statement timeout. */
export async function lockLoad(db: Db): Promise<void> {
  await sql`set local statement_timeout = '120s'`.execute(db);
  await lockName(db, 'job_task_load');
}

/**
 * Replaces all occupations and rebuilds the search tables. Runs in the caller's transaction, so other sessions see the
 * old data until it commits.
 */
export async function replaceOccupations(db: Db, occupations: readonly Occupation[], version: string): Promise<void> {
  await db.deleteFrom('job_postings').execute();
  await db.deleteFrom('job_spellings').execute();
  await db.deleteFrom('job_words').execute();
  await db.deleteFrom('job_statements').execute();
  await db.deleteFrom('job_occupations').execute();
  await insertOccupations(db, occupations);
  await insertWords(db);
  await db
    .insertInto('job_task_load')
    .values({ version })
    .onConflict((conflict) =>
      conflict
        .column('is_only')
        .doUpdateSet((eb) => ({ version: eb.ref('excluded.version'), loaded_at: sql<Date>`now()` })),
    )
    .execute();
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

/** A word's weight is the logarithm of its rarity. The weights of a statement are normalised to length one. */
async function insertWords(db: Db): Promise<void> {
  await sql`
    insert into job_postings (word, statement_id, weight)
    with found as (
      select id, unnest(tsvector_to_array(to_tsvector('english', statement))) as word from job_statements),
    weighed as (
      select word, ln((select count(*) from job_statements)::float8 / count(*)) as weight from found group by word)
    select word, id, weight / sqrt(sum(weight * weight) over (partition by id)) from found join weighed using (word)
    where weight > 0 order by word, id`.execute(db); // clusters the rows in index order
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
  // The planner needs current statistics before the first query, so do not wait for autovacuum.
  await sql`analyze job_postings`.execute(db);
  await sql`analyze job_words`.execute(db);
  await sql`analyze job_spellings`.execute(db);
}
