-- Pages and parts that editors put around courses: questions with their answer, solution articles, and hubs with the
-- carousels and pictures they show.
create table editorials (
  id text primary key references entries on delete cascade,
  kind text not null check (kind in ('question', 'solution', 'hub', 'carousel', 'picture')),
  slug text not null,
  title jsonb not null,
  summary jsonb not null default '{}',
  parts jsonb not null default '{}',      -- part → locale → Markdown; `bodies` has the page that is made of them
  cover text references content_assets on delete set null,
  cover_alt jsonb not null default '{}',
  human_translation boolean not null default true,
  position integer not null default 0,
  unique (kind, slug)
);

-- The things they lead to, in order. `key` is the id of the row; a row that is gone or hidden is left out when it is read.
create table editorial_items (
  editorial_id text not null references editorials on delete cascade,
  position integer not null,
  kind text not null check (kind in ('academy', 'article', 'community', 'course', 'lesson', 'microcourse',
    'question', 'solution', 'hub', 'carousel', 'picture')),
  key text not null,
  primary key (editorial_id, position)
);
-- Finds the editorials that name a course, a lesson or a carousel.
create index editorial_items_target on editorial_items (kind, key);

alter table bodies add column editorial_id text references editorials on delete cascade;
alter table bodies drop constraint bodies_check;
alter table bodies add constraint bodies_check check (num_nonnulls(lesson_key, microcourse_id, editorial_id) = 1);
-- The text of an editorial in a language; one each.
create unique index bodies_editorial on bodies (editorial_id, locale) where editorial_id is not null;

alter table content_pieces drop constraint content_pieces_kind_check;
alter table content_pieces add constraint content_pieces_kind_check check (kind in
  ('academy', 'course', 'journey', 'lesson', 'microcourse', 'community', 'question', 'solution', 'hub', 'carousel', 'picture'));
alter table former_slugs drop constraint former_slugs_kind_check;
alter table former_slugs add constraint former_slugs_kind_check check (kind in
  ('academy', 'course', 'journey', 'lesson', 'microcourse', 'community', 'question', 'solution', 'hub'));
alter table search_documents drop constraint search_documents_kind_check;
alter table search_documents add constraint search_documents_kind_check check (kind in
  ('academy', 'course', 'lesson', 'microcourse', 'community', 'post', 'reply', 'article', 'question', 'solution', 'hub'));
