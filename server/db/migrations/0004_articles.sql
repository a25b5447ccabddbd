-- What people write for everyone to read.
create table articles (
  id uuid primary key,
  slug text not null unique,
  author_id uuid not null references users,  -- an erased author keeps a nameless row
  title text not null,
  subtitle text not null,
  body text not null,                        -- sanitised Markdown
  body_html text not null,
  headings jsonb not null default '[]',
  human_translation boolean not null default true,
  tags text[] not null default '{}',
  cover_image jsonb,
  tldr text,
  locale text not null default 'en',
  seo_title text not null,
  seo_description text not null,
  author_tag text not null default 'Community post',
  type text not null default 'from-the-community',
  minutes integer not null default 1 check (minutes > 0),
  published_date timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  withdrawn_at timestamptz
);
create index articles_newest on articles (published_date desc, id desc) where withdrawn_at is null;
create index articles_author on articles (author_id, published_date desc) where withdrawn_at is null;
create index articles_tags on articles using gin (tags) where withdrawn_at is null;
