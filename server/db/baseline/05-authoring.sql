-- Content that administrators write on the screen or import, and events of a content platform.

-- A row for each piece of content that was begun or changed on the screen. Learners read the tables of the catalogue,
-- which are written only on publishing.
create table content_pieces (
  kind text not null check (kind in ('academy', 'course', 'journey', 'lesson', 'microcourse', 'community')),
  key text not null,                      -- the entry's id; for journeys and lessons the key of their row
  entry_id text not null references entries on delete cascade, -- whose pictures it shows; for a lesson, its course
  parent text,                            -- the course of a journey, the journey of a lesson
  version integer not null default 1,     -- raised by every change; a change names the version it was made to
  source_locale text not null default 'en', -- the language the others are translated from
  draft jsonb,                            -- what only administrators see; null: the same as what is live
  texts jsonb not null default '{}',      -- locale → when its texts were last changed here
  user_id uuid,                           -- the person who changed it last
  changed_at timestamptz not null default now(),
  primary key (kind, key)
);
-- The journeys of a course, the lessons of a journey.
create index content_pieces_parent on content_pieces (parent);
-- The pieces of an entry.
create index content_pieces_entry on content_pieces (entry_id);
-- The pieces a person changed, for export and erasure.
create index content_pieces_user on content_pieces (user_id);

-- Everything that was live, and drafts that were put aside.
create table content_versions (
  kind text not null,
  key text not null,
  number integer not null,
  source text not null check (source in ('authoring', 'import', 'draft')), -- published here; found as an import left it; put aside
  doc jsonb not null,
  user_id uuid,                           -- null: an import
  made_at timestamptz not null default now(),
  primary key (kind, key, number),
  foreign key (kind, key) references content_pieces on delete cascade
);
-- The versions a person made, for export and erasure.
create index content_versions_user on content_versions (user_id);

-- Content folders that administrators sent as a ZIP: what importing one would do, its progress, and what it did.
create table content_imports (
  id uuid primary key,
  user_id uuid references users (id) on delete set null,
  name text not null,
  bytes int not null,
  files int not null,
  state text not null default 'checking'
    check (state in ('checking', 'checked', 'refused', 'importing', 'done', 'failed', 'expired')),
  step text not null default 'waiting' check (step in ('waiting', 'unpacking', 'reading', 'writing')),
  step_done int not null default 0,
  step_total int not null default 0,
  summary jsonb,
  items jsonb not null default '[]',
  faults jsonb not null default '[]',
  fault_count int not null default 0,
  warnings jsonb not null default '[]',
  warning_count int not null default 0,
  created_at timestamptz not null default now(),
  begun_at timestamptz,
  finished_at timestamptz
);
-- A person's imports.
create index content_imports_user on content_imports (user_id);

-- Events of a content platform and their outcome, kept for 30 days.
create table content_events (
  id uuid primary key,
  topic text not null,
  entry_id text not null,
  content_type text,
  version bigint,
  outcome text not null check (outcome in ('applied', 'ignored')),
  reason text check (reason in ('topic', 'older', 'absent')),
  request_id text not null,
  received_at timestamptz not null default now(),
  check ((outcome = 'ignored') = (reason is not null))
);
-- The events of one outcome, newest first.
create index content_events_outcome on content_events (outcome, id desc);
-- The events of an entry, newest first.
create index content_events_entry on content_events (entry_id, id desc);
