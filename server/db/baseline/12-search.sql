-- The search index: a row for each text and language. Triggers write it in the transaction that writes the text; access
-- is decided when somebody searches.
create table search_documents (
  kind text not null check (kind in
    ('academy', 'course', 'lesson', 'microcourse', 'community', 'post', 'reply', 'article')),
  object_id text not null,
  locale text not null,
  community_id uuid,                      -- of a community, a post or a reply
  activity_id uuid,                       -- the post a reply belongs to, or the post itself
  journey_key uuid,                       -- of a lesson
  title text not null default '',         -- plain text, as the body
  body text not null default '',
  title_form text not null generated always as (public.search_form(title)) stored,
  title_words tsvector not null,
  words tsvector not null,                -- of title and body
  made_at timestamptz not null,
  primary key (kind, object_id, locale)
);
-- PostgreSQL overestimates how many texts have a word that its statistics do not know, so they know ten times as many.
alter table search_documents alter column words set statistics 1000, alter column title_words set statistics 1000;
-- Texts that have the words.
create index search_documents_words on search_documents using gin (words);
-- Texts that have the words in their title.
create index search_documents_title_words on search_documents using gin (title_words);
-- The same in the catalogue, which is small and searched apart from posts and replies.
create index search_documents_catalogue_words on search_documents using gin (words) where kind not in ('post', 'reply');
-- The same in titles of the catalogue.
create index search_documents_catalogue_title_words on search_documents using gin (title_words)
  where kind not in ('post', 'reply');
-- Titles with words spelt nearly so.
create index search_documents_title on search_documents using gin (title_form gin_trgm_ops) where kind <> 'reply';
-- Texts of one kind and some days, newest first.
create index search_documents_newest on search_documents (kind, made_at desc);
-- A post and its replies, which go together.
create index search_documents_activity on search_documents (activity_id) where activity_id is not null;
