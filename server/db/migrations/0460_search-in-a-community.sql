-- The texts of one community, newest first, for searches in it.
create index search_documents_community on search_documents (community_id, kind, made_at desc) where community_id is not null;

-- It takes a language and times now.
drop function if exists newest_search_documents(text, tsquery, boolean, uuid[], integer);
