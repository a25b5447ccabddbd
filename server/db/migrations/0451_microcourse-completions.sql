-- Microcourses that people completed.
create table microcourse_completions (
  user_id uuid not null references users on delete cascade,
  microcourse_id text not null references microcourses on delete cascade,
  completed_at timestamptz not null default now(),
  primary key (user_id, microcourse_id)
);
-- The completions of a microcourse.
create index microcourse_completions_microcourse on microcourse_completions (microcourse_id);
