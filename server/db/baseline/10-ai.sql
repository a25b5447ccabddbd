-- The assistant: conversations, passages of lessons, token budgets, and statements about jobs.

-- A conversation of a person about a lesson or a job; nobody else reads it. It ends with the account, or 90 days after
-- its last question.
create table ai_threads (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  lesson_key uuid references lessons on delete cascade,
  job_title text,                         -- in lower case
  job jsonb,                              -- the last question: {"jobTitle": …, "organization": … or null, "tasks": […]}
  title text not null,                    -- the first question
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint ai_threads_subject check (num_nonnulls(lesson_key, job_title) = 1),
  constraint ai_threads_job check ((job is null) = (job_title is null)),
  unique (user_id, lesson_key),
  unique (user_id, job_title)
);
-- A person's conversations, newest first.
create index ai_threads_newest on ai_threads (user_id, updated_at desc, id desc);
-- The conversations about a lesson that is deleted.
create index ai_threads_lesson on ai_threads (lesson_key);
-- The sweep of old conversations.
create index ai_threads_age on ai_threads (updated_at);

create table ai_messages (
  id uuid primary key,
  thread_id uuid not null references ai_threads on delete cascade,
  role text not null check (role in ('user', 'assistant')),
  content text not null,
  -- An answer is passages alone, or a model's words whose every quotation was found in its passage, or passages because
  -- the model could not be reached. Older answers say neither.
  quotations jsonb not null default '[]', -- [{title, url, quote}], `url` a path
  made_by text check (made_by in ('passages', 'model', 'fallback')),
  created_at timestamptz not null default now()
);
-- The messages of a conversation, in order.
create index ai_messages_thread on ai_messages (thread_id, id);

-- Tokens of the language model, a row a person and day and one a day for everybody. The most a call may cost is taken
-- before it goes out, and corrected when it is over.
create table ai_person_tokens (
  user_id uuid not null references users on delete cascade,
  day date not null,
  tokens integer not null default 0 check (tokens >= 0),
  primary key (user_id, day)
);
create table ai_tokens (
  day date primary key,
  tokens bigint not null default 0 check (tokens >= 0)
);
-- Calls that are running. A call that was never corrected (its process died) counts in full, and as over after a minute.
create table ai_calls (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  day date not null,
  tokens integer not null,
  begun_at timestamptz not null default clock_timestamp()
);
-- The running calls of a person.
create index ai_calls_person on ai_calls (user_id, begun_at);
-- The sweep of old calls.
create index ai_calls_age on ai_calls (begun_at);

-- The lessons that are cut into passages. That happens when somebody first asks in their course; a change of the text
-- deletes the row in the same transaction, so passages always say what the lesson says now.
create table passage_sets (
  lesson_key uuid not null references lessons on delete cascade,
  locale text not null,
  primary key (lesson_key, locale)
);

-- The passages that the assistant may quote.
create table passages (
  lesson_key uuid not null,
  locale text not null,
  position integer not null,
  section integer not null,               -- the passages below the same heading
  heading text,
  anchor text,                            -- the nearest place in the lesson a link can lead to
  is_example boolean not null,            -- what a lesson shows rather than says
  body text not null,
  words tsvector not null,                -- of the body
  heading_words tsvector not null,        -- of the heading and the title of the lesson
  primary key (lesson_key, locale, position),
  foreign key (lesson_key, locale) references passage_sets on delete cascade
);
-- The passages that have words of the question.
create index passages_words on passages using gin ((words || heading_words));
-- The passages that have a misspelt word of the question.
create index passages_body on passages using gin (body gin_trgm_ops);

-- Published data on how language models and automation bear on the tasks of jobs (NOTICE names the sources), so that an
-- index finds the statements nearest to a text. A job fills these tables from job-tasks.tsv.br.
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
-- The statements of an occupation.
create index job_statements_occupation on job_statements (occupation_code);

-- Every word of the statements, as the text search knows it; the rarer the heavier.
create table job_words (
  word text primary key,
  weight real not null
);

-- The spellings of these words in the statements.
create table job_spellings (
  spelling text primary key,
  word text not null
);
-- The word nearest to a misspelt one.
create index job_spellings_trgm on job_spellings using gist (spelling gist_trgm_ops);

-- The statements that have a word, and its weight there: the weights of a statement have length one.
create table job_postings (
  word text not null,
  statement_id integer not null,
  weight real not null
);
-- The statements that have a word, with the weights: read from the index alone.
create unique index job_postings_word on job_postings (word, statement_id) include (weight);

-- The content of the file that is loaded; no row before the first time.
create table job_task_load (
  is_only boolean primary key default true check (is_only),
  version text not null,
  loaded_at timestamptz not null default now()
);
