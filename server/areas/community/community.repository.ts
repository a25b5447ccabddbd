import { sql } from 'kysely';
import type { Scope } from '#server/access/can.ts';
import type { Db } from '#server/db/client.ts';
import { ACCESS_COLUMNS, ACCESS_SOURCE, type AccessRow } from './access.repository.ts';
import { type Reader, localText, personId, personName, readerSql, showsProfile } from './reader.sql.ts';

export type CommunityRow = AccessRow & { title: string; description: string; memberCount: number };
export type OwnerRow = { id: string; name: string; thumbnail: string | null };

const COLUMNS = `${ACCESS_COLUMNS}, ${localText('c.title', 'c.locale')} as title,
  ${localText('c.description', 'c.locale')} as description, c.member_count as "memberCount"`;

export async function getCommunity(
  db: Db,
  reader: Reader,
  slug: string,
): Promise<(CommunityRow & { owners: OwnerRow[] }) | undefined> {
  const { rows } = await sql<CommunityRow & { owners: OwnerRow[] }>`
    select ${sql.raw(COLUMNS)}, coalesce((
      select json_agg(json_build_object('id', ${sql.raw(personId('u'))}, 'name', ${sql.raw(personName('u'))},
        'thumbnail', case when ${sql.raw(showsProfile('u'))} then u.image_thumbnail end) order by om.joined_at, om.user_id)
      from community_members om join users u on u.id = om.user_id
      where om.community_id = c.id and om.role = 'owner' and om.status = 'active'), '[]') as owners
    from ${readerSql(reader.viewer, reader.locale)} cross join ${sql.raw(ACCESS_SOURCE)}
    where c.slug = ${slug}`.execute(db);
  return rows[0];
}

/** Every community and how somebody stands to it. */
export async function findAllAccess(db: Db, userId: string): Promise<AccessRow[]> {
  const { rows } = await sql<AccessRow>`
    select ${sql.raw(ACCESS_COLUMNS)} from (select ${userId}::uuid as id) v cross join ${sql.raw(ACCESS_SOURCE)}`.execute(
    db,
  );
  return rows;
}

export type ListedFor = {
  /** The scopes whose audience the viewer is in. */
  scopes: Scope[];
  seesAll: boolean;
  /** Also lists what the viewer belongs to or is invited to. */
  hasOwn: boolean;
  /** Of the last two, only these; null: all. */
  slugs: string[] | null;
};

/** The communities a viewer may find in a list, and how many there are. */
export async function findCommunities(
  db: Db,
  reader: Reader,
  listed: ListedFor,
  page: { limit: number; offset: number },
): Promise<{ rows: CommunityRow[]; total: number }> {
  const isOpen = sql`(${listed.slugs}::text[] is null or c.slug = any(${listed.slugs}::text[]))`;
  const isListed = sql`((${listed.seesAll} or ${listed.hasOwn} and (m.status in ('active', 'invited') or is_granted(v.id, c.entry_id))) and ${isOpen}
    or (c.privacy in ('open-visible', 'closed-visible') and coalesce(p.can_view, 'private') = any(${listed.scopes}::text[])))`;
  const from = sql`${readerSql(reader.viewer, reader.locale)} cross join ${sql.raw(ACCESS_SOURCE)} where ${isListed}`;
  const { rows } = await sql<CommunityRow>`
    select ${sql.raw(COLUMNS)} from ${from}
    order by c.position, c.slug limit ${page.limit} offset ${page.offset}`.execute(db);
  const total = await sql<{ total: number }>`select count(*)::int as total from ${from}`.execute(db);
  return { rows, total: total.rows[0]?.total ?? 0 };
}
