-- What a person asked to have exported of what is held about them; and the audit log made fit to be read.

-- The file is exports/<id>.zip among the files, served to its owner only.
create table data_exports (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  locale text not null,                   -- of the pages in it and of the mail
  status text not null default 'pending' check (status in ('pending', 'ready', 'failed')),
  bytes bigint,
  created_at timestamptz not null default now(),
  ready_at timestamptz,
  expires_at timestamptz not null default now() + interval '7 days'
);
create unique index data_exports_pending on data_exports (user_id) where status = 'pending';
create index data_exports_user on data_exports (user_id, created_at desc);
create index data_exports_expiry on data_exports (expires_at);

-- Append-only to the last: what forbids changing and deleting rows one by one does not see them all taken at once.
create trigger audit_log_no_truncate before truncate on audit_log
  for each statement execute function audit_log_is_append_only();

create index audit_log_newest on audit_log (created_at desc, id desc);
create index audit_log_actor on audit_log (actor, created_at desc, id desc);
create index audit_log_action on audit_log (action, created_at desc, id desc);
create index audit_log_object on audit_log (object, created_at desc, id desc);
