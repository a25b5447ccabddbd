// Raw SQL: stored files are joined with the JSON of drafts and versions and a union of all catalogue tables.
import type { LocalizedText } from '@officium/contract/common';
import { type LIBRARY_KINDS, MAX_PIECES_A_FILE } from '@officium/contract/media-library';
import type { PieceKind } from '@officium/contract/authoring';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/db/client.ts';
import { MEDIA_TYPES } from '#server/outside/media-type.data.ts';
import { filesOf, isInContent, isInSite, namedLike, STANDING } from './media-list.sql.ts';
import { isIn, PIECES, type Places } from './piece-list.sql.ts';

export type FilePiece = { kind: PieceKind; key: string; slug: string; title: LocalizedText; isEarlier: boolean };
export type FileRow = FilePosition & {
  bytes: number;
  storedAt: Date;
  uploadedBy: string | null;
  isInContent: boolean;
  isInSite: boolean;
  name: string | null;
  pieces: FilePiece[];
  pieceCount: number;
};
/** A position in the list: a time to the microsecond, and the file. */
export type FilePosition = { at: string; key: string };
export type FileFilter = {
  kind?: (typeof LIBRARY_KINDS)[number] | undefined;
  unused?: boolean | undefined;
  q?: string | undefined;
  limit: number;
  after: FilePosition | undefined;
  /** Whose pieces count; null: all, and files that stand in none. */
  places: Places;
  isAll: boolean;
};

const extension = sql`split_part(f.key, '.', 2)`;

function ofKind(kind: NonNullable<FileFilter['kind']>): RawBuilder<unknown> {
  const isPicture = kind === 'picture';
  const extensions = MEDIA_TYPES.filter((type) => isPicture || type.kind === kind).map((type) => type.extension);
  const isNamed = sql`${extension} = any(${extensions}::text[])`;
  return isPicture ? sql`not ${isNamed}` : isNamed;
}

function conditionsOf({ kind, unused, q, after, isAll }: FileFilter, like: string): RawBuilder<unknown> {
  const conditions: RawBuilder<unknown>[] = [sql`not f.is_private`];
  if (!isAll) conditions.push(sql`f.key in (select key from own)`);
  if (kind) conditions.push(ofKind(kind));
  if (unused) conditions.push(sql`not ${isInContent} and not ${isInSite}`);
  if (q) conditions.push(sql`(f.key ilike ${like} or f.key in (select key from matching))`);
  if (after) conditions.push(sql`(f.stored_at, f.key) < (${after.at}::timestamptz, ${after.key})`);
  return sql.join(conditions, sql` and `);
}

/** A page of the stored files of content, newest first, each with the pieces in which it stands. */
export async function findFiles(db: Db, filter: FileFilter): Promise<FileRow[]> {
  const { q, limit, places, isAll } = filter;
  const like = `%${(q ?? '').replace(/[\\%_]/g, '\\$&')}%`;
  const { rows } = await sql<FileRow>`
    with pieces as materialized (select i.* from (${PIECES}) i where ${isIn(places)}),
    ${isAll ? sql`` : sql`own as materialized (${filesOf('pieces')}),`}
    ${
      q
        ? sql`titled as materialized (select i.* from pieces i where i.slug ilike ${like}
            or exists (select from jsonb_each_text(i.title) t where t.value ilike ${like})),
          matching as materialized (${filesOf('titled')} union ${namedLike(like)}),`
        : sql``
    }
    files as materialized (
      select f.* from stored_files f where ${conditionsOf(filter, like)}
      order by f.stored_at desc, f.key desc limit ${limit})
    select f.key, f.bytes::float8 as bytes, f.stored_at as "storedAt", u.name as "uploadedBy",
      to_char(f.stored_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at,
      ${isInContent} as "isInContent", ${isInSite} as "isInSite", s.name,
      coalesce(s.pieces, '[]') as pieces, coalesce(s.count, 0) as "pieceCount"
    from files f left join users u on u.id = f.user_id
    cross join lateral (
      with standing as materialized (${STANDING}),
      shown as (select i.*, row_number() over (order by lower(i.title->>'en'), i.slug, i.kind, i.key) as nth
        from standing i where not (i.kind = 'course' and exists (
          select from standing part where part.course_id = i.key and part.kind in ('journey', 'lesson'))))
      select count(*)::int as count, (select min(path) from standing) as name,
        jsonb_agg(jsonb_build_object('kind', kind, 'key', key, 'slug', slug, 'title', title, 'isEarlier', "isEarlier")
          order by nth) filter (where nth <= ${MAX_PIECES_A_FILE}) as pieces
      from shown) s
    order by f.stored_at desc, f.key desc`.execute(db);
  return rows;
}
