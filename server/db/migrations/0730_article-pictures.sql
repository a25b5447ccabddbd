-- Pictures that people uploaded for articles. The file is in stored_files.
create table article_pictures (
  id uuid primary key,                   -- random: it is the address
  key text not null unique,              -- random, and known to nobody: the file itself has no public address
  user_id uuid not null references users on delete cascade,
  article_id uuid references articles on delete cascade, -- in which it stands; null until that is published
  width integer not null,
  height integer not null,
  color text not null,
  created_at timestamptz not null default now()
);
create index article_pictures_user on article_pictures (user_id);
create index article_pictures_article on article_pictures (article_id);
-- Those that may be due.
create index article_pictures_unplaced on article_pictures (created_at) where article_id is null;
