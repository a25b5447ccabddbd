-- The catalogue: entries as content folders, exports and webhooks bring them, and what is made from them.
create table entries (
  id text primary key,
  content_type text not null,
  status text not null default 'published' check (status in ('published', 'withdrawn', 'draft')),
  version bigint not null default 0,
  source text not null check (source in ('folder', 'export', 'webhook', 'authoring')),
  slug jsonb not null default '{}',       -- locale → slug
  fields jsonb not null default '{}',     -- field → locale → value
  fallbacks jsonb not null default '{}',  -- locale → the locale asked next
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
-- Products by type and status, in the administration.
create index entries_type on entries (content_type, status);

-- Files that belong to content: covers and pictures in lessons. Pages ask for /content-assets/<key>, a name made of the
-- bytes. `path` is `<entry id>/<path in the content folder>`, so that two folders may both have a cover.png.
create table content_assets (
  path text primary key,
  entry_id text not null references entries on delete cascade,
  key text not null,
  mime text not null,
  bytes integer not null,
  hash text not null,
  title jsonb not null default '{}'
);
-- The files of an entry.
create index content_assets_entry on content_assets (entry_id);
-- The file that a page asks for, and the size of all different files.
create index content_assets_key on content_assets (key);

-- Assets of a content platform's export, as they came; their files stay with the platform.
create table platform_assets (
  id text primary key,
  status text not null default 'published' check (status in ('published', 'draft')),
  version bigint not null default 0,
  fields jsonb not null default '{}',
  fallbacks jsonb not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- Entries that people can be let into. An entry without a row is private to view and to join.
create table products (
  entry_id text primary key references entries on delete cascade,
  content_type text not null,
  can_view text not null default 'private' check (can_view in ('public', 'authenticated', 'verified', 'private')),
  can_join text not null default 'private' check (can_join in ('public', 'authenticated', 'verified', 'private')),
  is_set boolean not null default false,  -- an administrator set the scopes; until then a journey follows its course
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table academies (
  id text primary key references entries on delete cascade,
  slug text not null unique,
  title jsonb not null,
  description jsonb not null default '{}',
  cover text references content_assets on delete set null,
  cover_alt jsonb not null default '{}',
  position integer not null default 0
);

create table courses (
  id text primary key references entries on delete cascade,
  slug text not null unique,
  type text not null default 'Private' check (type in ('Public', 'Private')),
  title jsonb not null,
  summary jsonb not null default '{}',
  cover text references content_assets on delete set null,
  cover_alt jsonb not null default '{}',
  human_translation boolean not null default true,
  position integer not null default 0
);

create table academy_courses (
  academy_id text not null references academies on delete cascade,
  course_id text not null references courses on delete cascade,
  position integer not null,
  primary key (academy_id, course_id)
);

create table academy_members (
  academy_id text not null references academies on delete cascade,
  user_id uuid not null references users on delete cascade,
  joined_at timestamptz not null default now(),
  primary key (academy_id, user_id)
);

-- Journeys and lessons are never deleted while somebody's record names them; they are withdrawn.
create table journeys (
  key uuid primary key,
  course_id text not null references courses on delete cascade,
  entry_id text unique references entries on delete set null, -- its entry and product: `id` when free, else <course>.<id>
  id text not null,                       -- the content folder's id, or the slug when it has none
  slug text not null,
  title jsonb not null,
  description jsonb not null default '{}',
  privacy text not null default 'closed-private' check (privacy in
    ('closed-private', 'closed-public', 'open-private', 'open-public', 'stripe-private', 'stripe-public')),
  position integer not null,
  -- Counts the changes of its lessons. Times would not do: an import takes long, and people who finish meanwhile have
  -- finished what stood before it, whatever the clock says.
  revision integer not null default 0,
  withdrawn_at timestamptz,
  unique (course_id, slug),
  unique (course_id, id)
);

create table sections (
  key uuid primary key,
  journey_key uuid not null references journeys on delete cascade,
  heading jsonb not null,
  position integer not null check (position between 0 and 7),
  unique (journey_key, position)
);

create table lessons (
  key uuid primary key,
  journey_key uuid not null references journeys on delete cascade,
  section_key uuid references sections on delete set null,
  id text not null,
  slug text not null,
  title jsonb not null,
  minutes integer not null default 0 check (minutes >= 0),
  mandatory boolean not null default true,
  discussion jsonb not null default '{}', -- an opening question, locale → text
  position integer not null,              -- over the whole journey
  added_in integer not null default 0,    -- the journey's revision that brought it, or brought it back
  withdrawn_in integer,                   -- the journey's revision that withdrew it
  withdrawn_at timestamptz,
  unique (journey_key, slug),
  unique (journey_key, id)
);
-- The lessons of a section that goes.
create index lessons_section on lessons (section_key);

create table microcourses (
  id text primary key references entries on delete cascade,
  slug text not null unique,
  title jsonb not null,
  summary jsonb not null default '{}',
  minutes integer not null default 0,
  cover text references content_assets on delete set null,
  cover_alt jsonb not null default '{}',
  human_translation boolean not null default true,
  position integer not null default 0
);

-- The text of a lesson or microcourse in one language, as written and as shown.
create table bodies (
  lesson_key uuid references lessons on delete cascade,
  microcourse_id text references microcourses on delete cascade,
  locale text not null,
  file text,                              -- its path in the content folder
  source text not null,
  title text,                             -- its level-1 heading, which `html` no longer has
  html text not null,
  headings jsonb not null default '[]',
  changed_in integer not null default 0,  -- the journey's revision that last changed what it says
  check (num_nonnulls(lesson_key, microcourse_id) = 1)
);
-- The text of a lesson in a language; one each.
create unique index bodies_lesson on bodies (lesson_key, locale) where lesson_key is not null;
-- The text of a microcourse in a language; one each.
create unique index bodies_microcourse on bodies (microcourse_id, locale) where microcourse_id is not null;

-- Articles that people write for everyone to read.
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
-- The list of articles, newest first.
create index articles_newest on articles (published_date desc, id desc) where withdrawn_at is null;
-- An author's articles, newest first.
create index articles_author on articles (author_id, published_date desc) where withdrawn_at is null;
-- Articles with a tag.
create index articles_tags on articles using gin (tags) where withdrawn_at is null;

-- Machine translations of people's texts, made once for all who may read the text. Triggers delete them in the
-- transaction that changes, deletes or removes the text.
create table machine_translations (
  thing_id uuid not null,              -- an activity, a reaction or an article
  part text not null,                  -- title, subtitle, tldr, body, or option:<id> of a poll
  source text not null,
  target text not null,
  engine text not null,                -- the translator, with its model
  content_hash bytea not null,         -- SHA-256 of what was translated
  translation text not null,
  made_at timestamptz not null default now(),
  primary key (thing_id, target, engine, part)
);
-- The sweep of old translations.
create index machine_translations_age on machine_translations (made_at);
