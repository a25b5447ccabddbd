-- A picture of a post, a discussion or an article. Its random key must not become known, so no list of files has it.
alter table stored_files add column is_private boolean not null default false;

update stored_files f set is_private = true
where exists (select from post_pictures p where p.key = f.key)
  or exists (select from article_pictures p where p.key = f.key)
  -- A picture that nothing names may have been one of these, and its key tells nothing. It is deleted within days.
  or (f.key like '%.webp'
    and not exists (select from content_assets a where a.key = f.key)
    and not exists (select from content_pieces p
      where p.draft->'images' @> jsonb_build_array(jsonb_build_object('key', f.key)))
    and not exists (select from content_versions v
      where v.doc->'images' @> jsonb_build_array(jsonb_build_object('key', f.key))));

-- The media library, newest first.
create index stored_files_media on stored_files (stored_at desc, key desc) where not is_private;
