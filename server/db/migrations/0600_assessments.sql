-- Settings of a lesson that is passed, as contract/assessment.ts has them; null: reading completes it.
alter table lessons add column assessment jsonb check (jsonb_typeof(assessment) = 'object');

-- The rendered questions of a lesson with an assessment, with their keys. Its `html` has no questions.
alter table bodies add column questions jsonb check (jsonb_typeof(questions) = 'array');

create table assessment_attempts (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  lesson_key uuid not null references lessons on delete cascade,
  locale text not null,
  pass_mark integer not null,
  review text not null check (review in ('none', 'result', 'answers')),
  questions jsonb not null,              -- as drawn and shuffled, with their keys
  answers jsonb not null default '{}',   -- number of the question → choice and text
  started_at timestamptz not null default now(),
  due_at timestamptz,
  submitted_at timestamptz,
  score integer check (score between 0 and 100),
  passed boolean,
  check (num_nonnulls(submitted_at, score, passed) in (0, 3))
);
create unique index assessment_attempts_open on assessment_attempts (user_id, lesson_key) where submitted_at is null;
create index assessment_attempts_own on assessment_attempts (user_id, lesson_key);
create index assessment_attempts_lesson on assessment_attempts (lesson_key);
create index assessment_attempts_due on assessment_attempts (due_at) where submitted_at is null;
