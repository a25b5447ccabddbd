-- Pictures that people uploaded for posts and replies of a community. The file is in stored_files.
create table post_pictures (
  id uuid primary key,                   -- random: it is the address
  key text not null unique,              -- random, and known to nobody: the file itself has no public address
  community_id uuid not null references communities on delete cascade,
  user_id uuid not null references users on delete cascade,
  object_id uuid,                        -- the post or reply in which it stands; null until that is sent
  width integer not null,
  height integer not null,
  created_at timestamptz not null default now()
);
create index post_pictures_object on post_pictures (object_id);
create index post_pictures_user on post_pictures (user_id);
create index post_pictures_community on post_pictures (community_id);
