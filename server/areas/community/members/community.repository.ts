// Raw SQL: columns and conditions of access that the community area shares; the page of a community is prepared.
import type { LocalizedText } from '@officium/contract/common';
import { sql } from 'kysely';
import { FINDS_COMMUNITY, FULL_CONTROL } from '#server/access/can.ts';
import { type Db, runPrepared } from '#server/db/client.ts';
import { totalOf } from '#server/db/total.ts';
import { ACCESS_COLUMNS, ACCESS_SOURCE, type CommunityAccessRow, IS_GRANTED } from './access.repository.ts';
import { isActiveOwner } from './rights.sql.ts';
import { communityRule, viewerConditions } from './visibility.sql.ts';
import { type LocalViewer, localText, viewerSql, showsProfile } from '../viewer.sql.ts';

export type CommunityRow = CommunityAccessRow & {
  title: string;
  description: string;
  memberCount: number;
  activityCount: number;
  coverKey: string | null;
  coverAlt: LocalizedText;
};
export type OwnerRow = { id: string; name: string; thumbnail: string | null };
export type Waiting = { requests: number; reports: number };
export type CommunityPageRow = CommunityRow & {
  owners: OwnerRow[];
  moderators: string[];
  /** null unless the database grants the viewer full control; a token may still withhold it. */
  waiting: Waiting | null;
};

const TITLE = localText('c.title', 'c.locale');
const DESCRIPTION = localText('c.description', 'c.locale');
const COLUMNS = `${ACCESS_COLUMNS}, ${TITLE} as title, ${DESCRIPTION} as description, c.member_count as "memberCount", activity_count(c.id) as "activityCount",
  (select f.key from content_assets f where f.path = c.cover) as "coverKey", c.cover_alt as "coverAlt"`;

/** The number of membership requests and open reports of a community `c`, as its lists show them to `v`. */
const WAITING = `json_build_object('requests', (
    select count(*) from community_members w where w.community_id = c.id and w.status = 'pending'),
  'reports', (
    select count(distinct r.object_id) from content_reports r
    join activities a on a.id = r.activity_id and a.deleted_at is null
    left join reactions x on x.id = r.object_id
    where r.community_id = c.id and r.status = 'open'
      and case when r.object_id = a.id then a.author_id <> v.id else x.deleted_at is null and x.user_id <> v.id end))`;

export async function getCommunity(
  db: Db,
  localViewer: LocalViewer,
  slug: string,
): Promise<CommunityPageRow | undefined> {
  const [row] = await runPrepared(
    db,
    sql<CommunityPageRow>`
    select ${sql.raw(COLUMNS)}, coalesce((
      select json_agg(json_build_object('id', u.id, 'name', u.name,
        'thumbnail', case when ${sql.raw(showsProfile('u'))} then u.image_thumbnail end) order by om.joined_at, om.user_id)
      from community_members om join users u on u.id = om.user_id
      where om.community_id = c.id and ${sql.raw(isActiveOwner('om'))}), '[]') as owners,
      array(select om.user_id from community_members om
        where om.community_id = c.id and om.role = 'member' and om.level = ${FULL_CONTROL} and om.status = 'active'
        order by om.user_id) as moderators,
      case when v.is_admin or m.status = 'active' and (m.role = 'owner' or m.level = ${FULL_CONTROL})
        then ${sql.raw(WAITING)} end as waiting
    from ${viewerSql(localViewer.viewer, localViewer.locale)} cross join ${sql.raw(ACCESS_SOURCE)}
    where c.slug = ${slug}`,
  );
  return row;
}

/** Every community with one user's access to it. */
export async function findAllAccess(db: Db, userId: string): Promise<CommunityAccessRow[]> {
  return await runPrepared(
    db,
    sql<CommunityAccessRow>`
      select ${sql.raw(ACCESS_COLUMNS)} from (select ${userId}::uuid as id) v cross join ${sql.raw(ACCESS_SOURCE)}`,
  );
}

/** The communities a viewer may find in a list, and their number. */
export async function findCommunities(
  db: Db,
  localViewer: LocalViewer,
  page: { limit: number; offset: number; find?: string; show?: 'mine' | 'open' | 'closed' },
): Promise<{ rows: CommunityRow[]; total: number }> {
  const viewer = viewerConditions(localViewer.viewer, IS_GRANTED);
  const isListed = communityRule(FINDS_COMMUNITY, viewer);
  const pattern = page.find && `%${page.find.replace(/[\\%_]/g, '\\$&')}%`;
  const isFound = pattern
    ? sql`(${sql.raw(TITLE)} ilike ${pattern} or ${sql.raw(DESCRIPTION)} ilike ${pattern})`
    : sql`true`;
  const isOfKind =
    page.show === 'mine'
      ? sql`m.status is not null and ${viewer.counts}`
      : page.show
        ? sql`c.privacy like ${`${page.show}-%`}`
        : sql`true`;
  const from = sql`${viewerSql(localViewer.viewer, localViewer.locale)} cross join ${sql.raw(ACCESS_SOURCE)}
    where ${isListed} and ${isFound} and ${isOfKind}`;
  const { rows } = await sql<CommunityRow>`
    select ${sql.raw(COLUMNS)} from ${from}
    order by c.position, c.slug limit ${page.limit} offset ${page.offset}`.execute(db);
  const total = await totalOf(page, rows, async () => {
    const counted = await sql<{ total: number }>`select count(*)::int as total from ${from}`.execute(db);
    return counted.rows[0]?.total ?? 0;
  });
  return { rows, total };
}
