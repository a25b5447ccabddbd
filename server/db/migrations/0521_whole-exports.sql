-- Exports of everything that administrators asked for. The file is whole-exports/<id>.zip among the files, served only to
-- the administrator who asked for it.
create table whole_exports (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  status text not null default 'pending' check (status in ('pending', 'ready', 'failed')),
  bytes bigint,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '24 hours'
);
-- An administrator's export that is being made; one at a time.
create unique index whole_exports_pending on whole_exports (user_id) where status = 'pending';
-- An administrator's exports, newest first.
create index whole_exports_user on whole_exports (user_id, id desc);
