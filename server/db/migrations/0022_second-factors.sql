-- What people prove themselves with besides a password or a mail: codes of an app, passkeys, recovery codes.

-- Whether a sign-in needs one; changed in the transaction that adds or removes the first or last of them.
alter table users add column second_factor boolean not null default false;

create table totp_factors (
  user_id uuid primary key references users on delete cascade,
  secret bytea not null,                  -- sealed with the key of the installation
  confirmed_at timestamptz,               -- null: shown, and no code of it was given yet
  last_step bigint not null default 0,    -- the 30 seconds of the last code that counted; none up to it counts again
  created_at timestamptz not null default now()
);
create trigger refuse_erased after insert on totp_factors for each row execute function refuse_erased();

create table recovery_codes (
  user_id uuid not null references users on delete cascade,
  code_hash bytea not null,               -- under the key of the installation
  created_at timestamptz not null default now(),
  used_at timestamptz,
  primary key (user_id, code_hash)
);
create trigger refuse_erased after insert on recovery_codes for each row execute function refuse_erased();

create table passkeys (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  credential_id text not null unique,     -- base64url, as browsers say it
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create index passkeys_user on passkeys (user_id, id);
create trigger refuse_erased after insert on passkeys for each row execute function refuse_erased();

-- What a passkey is asked to sign, once. Nobody is known yet who signs in by one.
create table passkey_challenges (
  challenge_hash bytea primary key,
  purpose text not null check (purpose in ('register', 'sign-in', 'second-factor', 'confirm')),
  user_id uuid references users on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index passkey_challenges_user on passkey_challenges (user_id);
create index passkey_challenges_expiry on passkey_challenges (expires_at);
create trigger refuse_erased after insert on passkey_challenges for each row execute function refuse_erased();

alter table challenges drop constraint challenges_kind_check;
alter table challenges add constraint challenges_kind_check check (kind in ('sign-up', 'login-link', 'session-token',
  'onboarding', 'password-reset', 'email-change', 'second-factor', 'confirmation'));

-- Administrators find people by parts of an address too, and page through all of them in three orders.
create index users_email_trgm on users using gin (email gin_trgm_ops) where erased_at is null;
create index users_by_name on users (lower(name), id) where erased_at is null;
create index users_by_role on users (role, lower(name), id) where erased_at is null;
create index users_waiting on users (id) where registration_status = 'pending' and erased_at is null;
