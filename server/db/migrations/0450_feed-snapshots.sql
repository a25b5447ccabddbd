-- The order of a feed when somebody began to walk through it, so that its pages neither lose nor repeat posts whose
-- rank changes in between.
create table feed_snapshots (
  id uuid primary key default gen_random_uuid(),
  community_id uuid not null references communities on delete cascade,
  ranking text not null,
  category text,
  post_ids uuid[] not null,               -- in order; not foreign keys, removed posts are left out when they are read
  taken_at timestamptz not null default now()
);
-- The deletion of a community.
create index feed_snapshots_community on feed_snapshots (community_id);
-- The hourly sweep.
create index feed_snapshots_taken on feed_snapshots (taken_at);
