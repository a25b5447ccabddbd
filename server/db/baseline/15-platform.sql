-- Tables of the platform: replies to repeated requests, limits, mails, exports, copies of pictures, the audit log, checks.

-- The reply to a request with an idempotency key; the row is written in the transaction of the request.
create table idempotency_keys (
  caller text not null,
  key text not null,
  request_hash bytea not null,
  status integer,
  reply jsonb,
  created_at timestamptz not null default now(),
  primary key (caller, key)
);
-- The sweep of old keys.
create index idempotency_keys_age on idempotency_keys (created_at);

create unlogged table rate_limits (
  key text primary key,
  window_start timestamptz not null,
  used integer not null
);

-- Mails wait here until a mail server has taken them.
create table mails (
  id uuid primary key,
  user_id uuid references users on delete set null,
  recipient text not null,
  kind text not null,
  about_id uuid,                          -- an invitation, for example: a queued mail is cancelled with it
  locale text not null,
  subject text not null,
  body_text text not null,
  body_html text not null,
  headers jsonb not null default '{}',
  status text not null default 'queued' check (status in ('queued', 'sent', 'failed', 'expired', 'cancelled')),
  attempts integer not null default 0,
  last_error text,
  expires_at timestamptz,
  created_at timestamptz not null default now(),
  sent_at timestamptz
);
-- The number of failed mails.
create index mails_status on mails (status, created_at);
-- The mails of one status, newest first.
create index mails_page on mails (status, id desc);
-- The mails of one kind to an address, for limits.
create index mails_recipient on mails (recipient, kind, created_at);
-- The mails of a person.
create index mails_user on mails (user_id);
-- The queued mails about something that is taken back.
create index mails_about on mails (about_id) where about_id is not null and status = 'queued';

-- Exports that people asked for of their own data. The file is exports/<id>.zip among the files, served to its owner only.
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
-- A person's export that is being made; one at a time.
create unique index data_exports_pending on data_exports (user_id) where status = 'pending';
-- A person's exports, newest first.
create index data_exports_user on data_exports (user_id, created_at desc);
-- The sweep of old exports.
create index data_exports_expiry on data_exports (expires_at);

-- Copies of pictures of other hosts, kept for a while and shown from here. The name of the file is made of the address
-- under the key of the installation; the address itself is not kept.
create table outside_pictures (
  name text primary key,
  is_there boolean not null,
  good_until timestamptz not null
);
-- The pictures to delete: those past their end, and the oldest above the limit.
create index outside_pictures_good_until on outside_pictures (good_until);

-- Append only, held by triggers. The entries form a chain: soon after it was written each one gets the next position and
-- a hash over itself and the hash before it, so a change behind the triggers' back breaks the chain.
create table audit_log (
  id uuid primary key,
  actor text not null,                    -- user id, service:<name> or system
  action text not null,
  object text not null,
  detail jsonb not null default '{}',
  request_id text,
  created_at timestamptz not null default now(),
  position bigint,
  hash bytea,
  check ((position is null) = (hash is null))
);
-- All entries, newest first.
create index audit_log_newest on audit_log (created_at desc, id desc);
-- The entries of an actor, newest first.
create index audit_log_actor on audit_log (actor, created_at desc, id desc);
-- The entries of an action, newest first.
create index audit_log_action on audit_log (action, created_at desc, id desc);
-- The entries about an object, newest first.
create index audit_log_object on audit_log (object, created_at desc, id desc);
-- The entries about a community, newest first.
create index audit_log_community on audit_log ((detail ->> 'communityId'), created_at desc, id desc)
  where detail ->> 'communityId' is not null;
-- The chain in order, and its end.
create unique index audit_log_position on audit_log (position) where position is not null;
-- The entries that are not chained yet.
create index audit_log_unchained on audit_log (id) where position is null;

-- The results of the nightly checks: for each subject, how many things were wrong.
create table nightly_checks (
  subject text primary key,
  wrong integer not null,
  checked_at timestamptz not null default now()
);

-- The results of the hourly sweep, by table: rows that were due for removal and are still there.
create table sweeps (
  target text primary key,
  overdue integer not null,
  swept_at timestamptz not null default now()
);
