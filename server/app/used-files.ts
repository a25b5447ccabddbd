// Raw SQL: the files that a document names are in its JSON.
import { type SqlBool, sql } from 'kysely';

const named = sql`jsonb_build_array(jsonb_build_object('key', f.key))`;

/** Whether content, one of its drafts or versions, the site, a post or an article names the stored file `f`. */
export const isUsedFile = sql<SqlBool>`(
  exists (select from content_assets a where a.key = f.key)
  or exists (select from content_pieces p where p.draft->'images' @> ${named})
  or exists (select from content_versions v where v.doc->'images' @> ${named})
  or exists (select from site_versions s where f.key in (s.identity->'logo'->>'key', s.identity->'logoDark'->>'key')
    or jsonb_path_exists(s.identity, '$.certificate.pictures.*.key ? (@ == $key)', jsonb_build_object('key', f.key)))
  or exists (select from post_pictures p where p.key = f.key)
  or exists (select from article_pictures p where p.key = f.key))`;
