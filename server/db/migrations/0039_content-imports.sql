-- Content folders that administrators sent as a ZIP: what importing one would do, how far it is, and what it did.
create table content_imports (
  id uuid primary key,
  user_id uuid references users (id) on delete set null,
  name text not null,
  bytes int not null,
  files int not null,
  state text not null default 'checking'
    check (state in ('checking', 'checked', 'refused', 'importing', 'done', 'failed', 'expired')),
  step text not null default 'waiting' check (step in ('waiting', 'unpacking', 'reading', 'writing')),
  step_done int not null default 0,
  step_total int not null default 0,
  summary jsonb,
  items jsonb not null default '[]',
  faults jsonb not null default '[]',
  fault_count int not null default 0,
  warnings jsonb not null default '[]',
  warning_count int not null default 0,
  created_at timestamptz not null default now(),
  begun_at timestamptz,
  finished_at timestamptz
);
create index content_imports_user on content_imports (user_id);

create trigger refuse_erased after insert or update of user_id on content_imports for each row execute function refuse_erased();
