import { type SqlBool, sql } from 'kysely';

const named = sql`jsonb_build_array(jsonb_build_object('key', f.key))`;

/** Whether the catalogue, a draft or a version names the stored file `f`. */
export const isInContent = sql<SqlBool>`(
  exists (select from content_assets a where a.key = f.key)
  or exists (select from content_pieces p where p.draft->'images' @> ${named})
  or exists (select from content_versions v where v.doc->'images' @> ${named}))`;

/** Whether a logo or a picture of certificates is the stored file `f`. */
export const isInSite = sql<SqlBool>`exists (
  select from site_versions s where f.key in (s.identity->'logo'->>'key', s.identity->'logoDark'->>'key')
    or jsonb_path_exists(s.identity, '$.certificate.pictures.*.key ? (@ == $key)', jsonb_build_object('key', f.key)))`;

/** Files of entries stand below the entry; journeys and lessons have that of their course. */
const isEntry = sql`i.kind not in ('journey', 'lesson', 'article')`;

const pathIn = (images: ReturnType<typeof sql>) => sql`
  (select image->>'path' from jsonb_array_elements(${images}) image where image->>'key' = f.key limit 1)`;

/**
 * The pieces `i` in which the file `f` stands, of those in `pieces`. A course that has the file only for one of its
 * journeys or lessons is left out when that is known.
 */
export const STANDING = sql`
  select i.kind, i.key, i.slug, i.title, i.course_id, not bool_or(s.is_current) as "isEarlier", min(s.path) as path
  from (
    select p.kind, p.key, true as is_current, ${pathIn(sql`p.draft->'images'`)} as path
    from content_pieces p where p.draft->'images' @> ${named}
    union all
    select v.kind, v.key, v.source <> 'draft' and not exists (select from content_versions n
      where n.kind = v.kind and n.key = v.key and n.number > v.number and n.source <> 'draft'), ${pathIn(sql`v.doc->'images'`)}
    from content_versions v where v.doc->'images' @> ${named}
    union all
    select null, a.entry_id, true, substr(a.path, length(a.entry_id) + 2) from content_assets a where a.key = f.key
  ) s join pieces i on i.key = s.key and (i.kind = s.kind or (s.kind is null and ${isEntry}))
  group by i.kind, i.key, i.slug, i.title, i.course_id`;

/** The keys of files in drafts and in the catalogue whose name contains a text, of those in `pieces`. */
export const namedLike = (like: string) => sql`
  select image->>'key' as key from pieces i join content_pieces p on p.kind = i.kind and p.key = i.key
    cross join jsonb_array_elements(coalesce(p.draft->'images', '[]')) image where image->>'path' ilike ${like}
  union
  select a.key from pieces i join content_assets a on a.entry_id = i.key and ${isEntry}
    where substr(a.path, length(a.entry_id) + 2) ilike ${like}`;

/** The keys of all files of the pieces in a table. */
export const filesOf = (table: 'pieces' | 'titled') => sql`
  select image->>'key' as key from ${sql.table(table)} i join content_pieces p on p.kind = i.kind and p.key = i.key
    cross join jsonb_array_elements(coalesce(p.draft->'images', '[]')) image
  union
  select image->>'key' from ${sql.table(table)} i join content_versions v on v.kind = i.kind and v.key = i.key
    cross join jsonb_array_elements(coalesce(v.doc->'images', '[]')) image
  union
  select a.key from ${sql.table(table)} i join content_assets a on a.entry_id = i.key and ${isEntry}`;
