-- Slugs that pages had before, so that their old addresses lead to where they are now.
create table former_slugs (
  kind text not null check (kind in ('academy', 'course', 'journey', 'lesson', 'microcourse', 'community')),
  parent text not null default '',        -- the course of a journey, the journey of a lesson
  slug text not null,
  key text not null,                      -- of the row that had it last
  left_at timestamptz not null default now(),
  primary key (kind, parent, slug)
);
