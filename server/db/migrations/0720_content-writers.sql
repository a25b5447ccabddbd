-- People who have a piece of content open in its editor. A row ends by itself when its editor no longer says so.
create table content_writers (
  kind text not null,
  key text not null,
  user_id uuid not null references users (id) on delete cascade,
  since timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  primary key (kind, key, user_id)
);
create index content_writers_user on content_writers (user_id);
