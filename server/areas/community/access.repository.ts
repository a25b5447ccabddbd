import type { Locale } from '@officium/contract/common';
import { sql } from 'kysely';
import type { CommunityPrivacy, Level, Scope } from '#server/access/can.ts';
import type { Db } from '#server/db/client.ts';

/** A community and how one person stands to it. */
export type AccessRow = {
  id: string;
  slug: string;
  privacy: CommunityPrivacy;
  canView: Scope;
  canJoin: Scope;
  isGranted: boolean;
  locale: Locale;
  categories: string[];
  activityCount: number;
  role: 'owner' | 'member' | null;
  level: Level | null;
  status: 'active' | 'pending' | 'invited' | null;
  joinedAt: Date | null;
};

/** The columns of AccessRow. A community that is no product is open to nobody. */
export const ACCESS_COLUMNS = `c.id, c.slug, c.privacy, coalesce(p.can_view, 'private') as "canView",
  coalesce(p.can_join, 'private') as "canJoin", is_granted(v.id, c.entry_id) as "isGranted", c.locale, c.categories, c.activity_count as "activityCount",
  m.role, m.level, m.status, m.joined_at as "joinedAt"`;

/** Where they come from, `v.id` being the person. A withdrawn community is not there. */
export const ACCESS_SOURCE = `communities c
  join entries e on e.id = c.entry_id and e.status = 'published'
  left join products p on p.entry_id = c.entry_id
  left join community_members m on m.community_id = c.id and m.user_id = v.id`;

export async function getAccess(db: Db, access: { slug: string; userId: string }): Promise<AccessRow | undefined> {
  const { rows } = await sql<AccessRow>`
    select ${sql.raw(ACCESS_COLUMNS)}
    from (select ${access.userId}::uuid as id) v cross join ${sql.raw(ACCESS_SOURCE)}
    where c.slug = ${access.slug}`.execute(db);
  return rows[0];
}
