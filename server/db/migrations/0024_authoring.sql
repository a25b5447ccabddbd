-- What administrators write on the screen. A row for each piece of content that was begun or changed there; what learners
-- read stays in the tables of the catalogue and is written only when somebody publishes.
create table content_pieces (
  kind text not null check (kind in ('academy', 'course', 'journey', 'lesson', 'microcourse', 'community')),
  key text not null,                      -- the entry's id; of journeys and lessons the key of their row
  entry_id text not null references entries on delete cascade, -- whose pictures it shows: of a lesson, its course
  parent text,                            -- of a journey its course, of a lesson its journey
  version integer not null default 1,     -- raised by every change; who changes something names the one they saw
  source_locale text not null default 'en', -- the language the others are translated from
  draft jsonb,                            -- what only administrators see; null: nothing but what is live
  texts jsonb not null default '{}',      -- locale → when its texts were last changed here
  user_id uuid,                           -- who changed it last
  changed_at timestamptz not null default now(),
  primary key (kind, key)
);
create index content_pieces_parent on content_pieces (parent);
create index content_pieces_entry on content_pieces (entry_id);
create index content_pieces_user on content_pieces (user_id);

-- Everything that was live, and drafts that were put aside.
create table content_versions (
  kind text not null,
  key text not null,
  number integer not null,
  source text not null check (source in ('authoring', 'import', 'draft')), -- published here; found as an import left it; put aside
  doc jsonb not null,
  user_id uuid,                           -- who did; null: an import
  made_at timestamptz not null default now(),
  primary key (kind, key, number),
  foreign key (kind, key) references content_pieces on delete cascade
);
create index content_versions_user on content_versions (user_id);

create trigger refuse_erased after insert or update of user_id on content_pieces for each row execute function refuse_erased();
create trigger refuse_erased after insert on content_versions for each row execute function refuse_erased();
