-- What content folders, exports and webhooks bring: every entry as it came, and the catalogue made from it.
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
create index entries_type on entries (content_type, status);

-- Files that belong to content: covers and pictures in lessons. The page asks for /content-assets/<key>, a name made of
-- the bytes; `path` is `<entry id>/<path in the content folder>`, so that two folders may both have a cover.png.
create table content_assets (
  path text primary key,
  entry_id text not null references entries on delete cascade,
  key text not null,
  mime text not null,
  bytes integer not null,
  hash text not null,
  title jsonb not null default '{}'
);
create index content_assets_entry on content_assets (entry_id);
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

-- An entry people can be let into. Without a row, nobody is: both scopes are private.
create table products (
  entry_id text primary key references entries on delete cascade,
  content_type text not null,
  can_view text not null default 'private' check (can_view in ('public', 'authenticated', 'verified', 'private')),
  can_join text not null default 'private' check (can_join in ('public', 'authenticated', 'verified', 'private')),
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
  id text not null,                       -- the content folder's id, the slug when it has none
  slug text not null,
  title jsonb not null,
  description jsonb not null default '{}',
  privacy text not null default 'closed-private' check (privacy in
    ('closed-private', 'closed-public', 'open-private', 'open-public', 'stripe-private', 'stripe-public')),
  position integer not null,
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
  withdrawn_at timestamptz,
  unique (journey_key, slug),
  unique (journey_key, id)
);
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
  file text,                              -- where in the content folder it stands
  source text not null,
  title text,                             -- its level-1 heading, which `html` no longer has
  html text not null,
  headings jsonb not null default '[]',
  check (num_nonnulls(lesson_key, microcourse_id) = 1)
);
create unique index bodies_lesson on bodies (lesson_key, locale) where lesson_key is not null;
create unique index bodies_microcourse on bodies (microcourse_id, locale) where microcourse_id is not null;

create table communities (
  id uuid primary key,
  entry_id text not null unique references entries on delete cascade,
  slug text not null unique,
  title jsonb not null,
  description jsonb not null default '{}',
  privacy text not null default 'closed-hidden' check (privacy in
    ('closed-hidden', 'closed-visible', 'open-hidden', 'open-visible')),
  locale text not null default 'en',
  categories text[] not null default '{}',
  rules jsonb not null default '{}',
  cover text references content_assets on delete set null,
  cover_alt jsonb not null default '{}',
  member_count integer not null default 0 check (member_count >= 0),
  position integer not null default 0,
  created_at timestamptz not null default now()
);

create table community_members (
  community_id uuid not null references communities on delete cascade,
  user_id uuid not null references users on delete cascade,
  role text not null default 'member' check (role in ('owner', 'member')),
  level smallint check (level between 0 and 3), -- granted; null means what the role gives
  status text not null default 'active' check (status in ('active', 'pending', 'invited')),
  joined_at timestamptz not null default now(),
  primary key (community_id, user_id)
);
create index community_members_user on community_members (user_id, status);
create index community_members_list on community_members (community_id, status, joined_at, user_id);

-- Owners a content folder names who have no account yet.
create table community_owner_claims (
  community_id uuid not null references communities on delete cascade,
  email text not null,
  position smallint not null default 0,
  primary key (community_id, email)
);

create table journey_enrolments (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  journey_key uuid not null references journeys on delete cascade,
  locale text not null default 'en',
  status text not null default 'enrolled' check (status in ('created', 'pending', 'enrolled', 'expired')),
  expires_on timestamptz,
  completed_at timestamptz,
  metadata jsonb not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (user_id, journey_key)
);
create index journey_enrolments_journey on journey_enrolments (journey_key, status);

-- The status that holds now: the job that stores `expired` may come late, and a new end brings a place back.
create function enrolment_status(status text, expires_on timestamptz) returns text language sql stable as $$
  select case
    when expires_on <= now() then 'expired'
    when status = 'expired' and expires_on > now() then 'enrolled'
    else status
  end
$$;

create table lesson_completions (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  lesson_key uuid not null references lessons on delete cascade,
  locale text not null default 'en',
  completed_at timestamptz not null default now(),
  progress jsonb not null default '{}',   -- in the journey, right after this completion
  unique (user_id, lesson_key)
);
create index lesson_completions_lesson on lesson_completions (lesson_key);

create table certificates (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  journey_key uuid not null references journeys on delete cascade,
  public_id text not null unique,         -- 128 random bits, in the address
  name_on_certificate text not null,
  course_title text not null,
  journey_title text not null,
  locale text not null default 'en',
  lessons integer not null,
  minutes integer not null,
  issued_at timestamptz not null default now(),
  revoked_at timestamptz,
  unique (user_id, journey_key)
);
