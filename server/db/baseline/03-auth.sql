-- Sessions, and everything people prove themselves with.
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
-- A person's sessions.
create index sessions_user on sessions (user_id);
-- The sweep of expired sessions.
create index sessions_expiry on sessions (expires_at);

create table password_history (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  password_hash text not null,
  created_at timestamptz not null default now()
);
-- A person's last passwords, which a new one must differ from.
create index password_history_user on password_history (user_id, created_at desc);

-- Codes and links that prove something once. The link of a sign-up has a secret of its own, because six digits can be
-- guessed.
create table challenges (
  id uuid primary key,
  kind text not null check (kind in ('sign-up', 'sign-up-link', 'login-link', 'session-token', 'onboarding',
    'password-reset', 'email-change', 'second-factor', 'confirmation')),
  user_id uuid not null references users on delete cascade,
  secret_hash bytea not null,
  detail jsonb not null default '{}',
  attempts integer not null default 0,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);
-- The challenge that a link or code belongs to.
create index challenges_secret on challenges (secret_hash);
-- A person's newest challenge of one kind.
create index challenges_user on challenges (user_id, kind, created_at desc);
-- The sweep of expired challenges.
create index challenges_expiry on challenges (expires_at);

create table totp_factors (
  user_id uuid primary key references users on delete cascade,
  secret bytea not null,                  -- sealed with the key of the installation
  confirmed_at timestamptz,               -- null: shown, but no code was given yet
  last_step bigint not null default 0,    -- the 30 seconds of the last accepted code; earlier codes are refused
  created_at timestamptz not null default now()
);

create table recovery_codes (
  user_id uuid not null references users on delete cascade,
  code_hash bytea not null,               -- under the key of the installation
  created_at timestamptz not null default now(),
  used_at timestamptz,
  primary key (user_id, code_hash)
);

create table passkeys (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  credential_id text not null unique,     -- base64url, as browsers give it
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
-- A person's passkeys, oldest first.
create index passkeys_user on passkeys (user_id, id);

-- Challenges that a passkey signs once. A sign-in by passkey begins without a person.
create table passkey_challenges (
  challenge_hash bytea primary key,
  purpose text not null check (purpose in ('register', 'sign-in', 'second-factor', 'confirm')),
  user_id uuid references users on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
-- The challenges of an account that is deleted.
create index passkey_challenges_user on passkey_challenges (user_id);
-- The sweep of expired challenges.
create index passkey_challenges_expiry on passkey_challenges (expires_at);

-- Sign-ins by OpenID Connect that have begun. They are found by the hash of what the browser holds, and taken once.
create table provider_attempts (
  attempt_hash bytea primary key,
  state text not null,
  nonce text not null,
  verifier text not null,
  next_path text not null,
  expires_at timestamptz not null
);
-- The sweep of expired attempts.
create index provider_attempts_expiry on provider_attempts (expires_at);

-- The account of somebody at their organisation's provider.
create table provider_identities (
  issuer text not null,
  subject text not null,
  user_id uuid not null references users on delete cascade,
  granted_role text,                      -- the role its groups gave last, and may take back
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  primary key (issuer, subject)
);
-- A person's identities.
create index provider_identities_user on provider_identities (user_id);
