import type { Locale } from '@officium/contract/common';
import { sql } from 'kysely';
import type { CommunityPrivacy, Level, Scope } from '#server/access/can.ts';
import { type Db, runPrepared } from '#server/db/client.ts';

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
  role: 'owner' | 'member' | null;
  level: Level | null;
  status: 'active' | 'pending' | 'invited' | null;
  joinedAt: Date | null;
};

/**
 * Whether a cohort of the person `v.id` lets them into a community `c`. What their cohorts let them into is looked up
 * once, where `is_granted` would ask for every community.
 */
export const IS_GRANTED = `(c.entry_id in (
  select granted.entry_id from cohort_members own join cohort_products granted on granted.cohort_id = own.cohort_id
  where own.user_id = v.id))`;

/** The columns of AccessRow. A community that is no product is open to nobody. */
export const ACCESS_COLUMNS = `c.id, c.slug, c.privacy, coalesce(p.can_view, 'private') as "canView",
  coalesce(p.can_join, 'private') as "canJoin", ${IS_GRANTED} as "isGranted", c.locale, c.categories,
  m.role, m.level, m.status, m.joined_at as "joinedAt"`;

/** Where they come from, `v.id` being the person. A withdrawn community is not there. */
export const ACCESS_SOURCE = `communities c
  join entries e on e.id = c.entry_id and e.status = 'published'
  left join products p on p.entry_id = c.entry_id
  left join community_members m on m.community_id = c.id and m.user_id = v.id`;

export async function getAccess(db: Db, access: { slug: string; userId: string }): Promise<AccessRow | undefined> {
  const [row] = await runPrepared(
    db,
    sql<AccessRow>`
      select ${sql.raw(ACCESS_COLUMNS)}
      from (select ${access.userId}::uuid as id) v cross join ${sql.raw(ACCESS_SOURCE)}
      where c.slug = ${access.slug}`,
  );
  return row;
}
