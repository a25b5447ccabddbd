-- How far administrators are with the set-up assistant. One row, once one of them has used it.
create table site_setup (
  id integer primary key default 1 check (id = 1),
  steps jsonb not null default '{}',
  put_away_at timestamptz
);
-- A site with settings of its own was set up before there was an assistant.
insert into site_setup (put_away_at) select now() where exists (select from site_versions);

-- Notices at the top of every page, for a time.
create table site_notices (
  id uuid primary key,
  version integer not null default 1 check (version > 0),
  level text not null check (level in ('information', 'warning')),
  audience text not null check (audience in ('everyone', 'signed-in')),
  texts jsonb not null,
  url text,
  starts_at timestamptz not null,
  ends_at timestamptz,
  changed_at timestamptz not null default now(),
  constraint site_notices_order check (ends_at is null or starts_at < ends_at)
);
create index site_notices_latest on site_notices (starts_at desc, id desc);
