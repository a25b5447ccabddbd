-- Notifications on devices (RFC 8030). Null: the default of the event.
alter table notification_preferences add column push text check (push in ('at-once', 'never'));
alter table notifications add column pushed_at timestamptz;

-- The key pair that identifies this installation to push services (RFC 8292): one row, made at the first start.
create table push_keys (
  is_only boolean primary key default true check (is_only),
  public_key text not null,
  sealed_private_key bytea not null,
  created_at timestamptz not null default now()
);

-- Browsers that show a person's notifications.
create table push_devices (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  -- The session that switched it on. Null after that session ran out; a session that is ended takes its device along.
  session_id uuid,
  endpoint text not null unique check (length(endpoint) <= 1000),
  public_key bytea not null check (length(public_key) = 65),
  auth_secret bytea not null check (length(auth_secret) = 16),
  user_agent text check (length(user_agent) <= 300),
  created_at timestamptz not null default now(),
  seen_at timestamptz not null default now()
);
create index push_devices_user on push_devices (user_id, seen_at desc);
create index push_devices_session on push_devices (session_id);
create index push_devices_seen on push_devices (seen_at);
