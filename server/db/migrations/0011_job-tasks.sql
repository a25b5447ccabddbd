-- What is published on how language models and automation bear on the tasks of jobs (NOTICE names the sources), kept so
-- that the statements nearest to a text are found by an index. A job fills these tables from job-tasks.tsv.br.

create table job_occupations (
  code text primary key,                  -- O*NET-SOC
  title text not null,
  words text[] not null                   -- of the title, as the text search knows them
);

create table job_statements (
  id integer primary key,                 -- O*NET's id of the task
  occupation_code text not null references job_occupations,
  statement text not null,
  kind text not null check (kind in ('core', 'supplemental', 'unrated')),
  model_exposure text not null check (model_exposure in ('E0', 'E1', 'E2')),
  people_exposure text not null check (people_exposure in ('E0', 'E1', 'E2')),
  automation real not null check (automation between 0 and 1)
);
create index job_statements_occupation on job_statements (occupation_code);

-- Every word of the statements, as the text search knows it, with its weight: the rarer the heavier.
create table job_words (
  word text primary key,
  weight real not null
);

-- How these words are spelt in the statements; the trigrams find the word meant by a misspelt one.
create table job_spellings (
  spelling text primary key,
  word text not null
);
create index job_spellings_trgm on job_spellings using gist (spelling gist_trgm_ops);

-- Which statements have a word, and how much of the statement it makes: the weights of a statement have length one.
create table job_postings (
  word text not null,
  statement_id integer not null,
  weight real not null
);
create unique index job_postings_word on job_postings (word, statement_id) include (weight);

-- Which content of the file is loaded; no row before the first time.
create table job_task_load (
  is_only boolean primary key default true check (is_only),
  version text not null,
  loaded_at timestamptz not null default now()
);

-- A conversation is about a lesson or about a job, under the job's title in lower case.
alter table ai_threads
  alter column lesson_key drop not null,
  add column job_title text,
  add constraint ai_threads_subject check (num_nonnulls(lesson_key, job_title) = 1),
  add constraint ai_threads_user_id_job_title_key unique (user_id, job_title);
