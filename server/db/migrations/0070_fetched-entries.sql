-- The newest version of each entry that was fetched from the content platform lately, so that an older answer of its
-- delivery API, which has caches, never replaces a newer one.
create table fetched_entries (
  entry_id text primary key,
  version bigint not null,
  fetched_at timestamptz not null default now()
);
