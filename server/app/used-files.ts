import { type SqlBool, sql } from 'kysely';
import { isInContent, isInSite } from '#server/areas/authoring/media-list.sql.ts';

/** Whether content, one of its drafts or versions, the site, a post or an article names the stored file `f`. */
export const isUsedFile = sql<SqlBool>`(${isInContent} or ${isInSite}
  or exists (select from post_pictures p where p.key = f.key)
  or exists (select from article_pictures p where p.key = f.key))`;
