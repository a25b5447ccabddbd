-- Sign-in by the organisation people work for, by OpenID Connect.

-- One that has begun; nobody is known yet. Kept by the hash of what the browser holds, and taken once.
create table provider_attempts (
  attempt_hash bytea primary key,
  state text not null,
  nonce text not null,
  verifier text not null,
  next_path text not null,
  expires_at timestamptz not null
);
create index provider_attempts_expiry on provider_attempts (expires_at);

-- Who somebody is at their organisation.
create table provider_identities (
  issuer text not null,
  subject text not null,
  user_id uuid not null references users on delete cascade,
  granted_role text,                      -- what its groups gave last, and may take again
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  primary key (issuer, subject)
);
create index provider_identities_user on provider_identities (user_id);
create trigger refuse_erased after insert on provider_identities for each row execute function refuse_erased();
