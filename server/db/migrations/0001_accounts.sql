-- People, their ways in, and what every request rests on.
create extension if not exists pg_trgm;
create extension if not exists unaccent;

create table users (
  id uuid primary key,
  email text unique,                      -- lower case; null once erased
  email_proven_at timestamptz,
  name text not null,
  role text not null default 'non-public-servant'
    check (role in ('administrator', 'public-servant', 'non-public-servant', 'inactive')),
  password_hash text,
  nickname text,
  member_type text,
  job_title text,
  organization text,
  location jsonb,                         -- {id, en, code}
  biography text,
  bio_link text,
  image_full text,
  image_thumbnail text,
  locale text not null default 'en',
  locale_chosen boolean not null default false,
  visibility text not null default 'default' check (visibility in ('default', 'public', 'private')),
  badges jsonb not null default '{}',
  onboarding_state text,
  sign_up jsonb not null default '{}',    -- optIn, freeCourse, courseInterest, page, ref …
  approved_by_rule uuid,
  registration_status text check (registration_status in ('pending', 'approved', 'refused')), -- null: did not sign up
  registration_reason text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  erased_at timestamptz
);
create index users_name_trgm on users using gin (name gin_trgm_ops);

create table sessions (
  token_hash bytea primary key,           -- SHA-256 of the cookie
  id uuid not null unique,
  user_id uuid not null references users on delete cascade,
  limited boolean not null default false, -- opened by a sign-up that is not proven yet
  permissions jsonb,                      -- {communities, courses} of a minted token: narrows, never widens
  user_agent text,
  address text,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  authenticated_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index sessions_user on sessions (user_id);
create index sessions_expiry on sessions (expires_at);

create table password_history (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  password_hash text not null,
  created_at timestamptz not null default now()
);
create index password_history_user on password_history (user_id, created_at desc);

-- Codes and links that prove something once: a sign-up code, a sign-in link, a reset secret, a new address.
create table challenges (
  id uuid primary key,
  kind text not null check (kind in ('sign-up', 'login-link', 'session-token', 'onboarding', 'password-reset', 'email-change')),
  user_id uuid not null references users on delete cascade,
  secret_hash bytea not null,
  detail jsonb not null default '{}',
  attempts integer not null default 0,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index challenges_secret on challenges (secret_hash);
create index challenges_user on challenges (user_id, kind, created_at desc);
create index challenges_expiry on challenges (expires_at);

create table auto_approvals (
  id uuid primary key,
  type text not null check (type in ('domain', 'email', 'partialDomain')),
  value text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (type, value)
);
create index auto_approvals_value on auto_approvals (lower(value));

-- A key of a caller with the answer it got; the row is written in the transaction of what it did.
create table idempotency_keys (
  caller text not null,
  key text not null,
  request_hash bytea not null,
  status integer,
  reply jsonb,
  created_at timestamptz not null default now(),
  primary key (caller, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);

create unlogged table rate_limits (
  key text primary key,
  window_start timestamptz not null,
  used integer not null
);

-- Mail waits here until a mail server has taken it.
create table mails (
  id uuid primary key,
  user_id uuid references users on delete set null,
  recipient text not null,
  kind text not null,
  locale text not null,
  subject text not null,
  body_text text not null,
  body_html text not null,
  headers jsonb not null default '{}',
  status text not null default 'queued' check (status in ('queued', 'sent', 'failed', 'expired')),
  attempts integer not null default 0,
  last_error text,
  expires_at timestamptz,
  created_at timestamptz not null default now(),
  sent_at timestamptz
);
create index mails_status on mails (status, created_at);
create index mails_user on mails (user_id);

create table audit_log (
  id uuid primary key,
  actor text not null,                    -- user id, service:<name> or system
  action text not null,
  object text not null,
  detail jsonb not null default '{}',
  request_id text,
  created_at timestamptz not null default now()
);
create index audit_log_time on audit_log (id desc);

create function audit_log_is_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is append-only';
end $$;
create trigger audit_log_no_change before update or delete on audit_log
  for each row execute function audit_log_is_append_only();
