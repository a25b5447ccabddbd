import type { Locale } from '@officium/contract/common';
import { sql } from 'kysely';
import type { CommunityPrivacy, Level, Scope } from '#server/access/can.ts';
import { type Db, prepared } from '#server/db/client.ts';

/** A community and how one person stands to it. */
export type CommunityAccessRow = {
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

/** Where they come from, `v.id` being the person. A withdrawn community is not there, nor a membership that has ended. */
export const ACCESS_SOURCE = `communities c
  join entries e on e.id = c.entry_id and e.status = 'published'
  left join products p on p.entry_id = c.entry_id
  left join community_members m on m.community_id = c.id and m.user_id = v.id and (m.expires_on <= now()) is not true`;

/** The access of the person `$1` to the community with the slug `$2`. */
const ACCESS = `(select ${ACCESS_COLUMNS} from (select $1::uuid as id) v cross join ${ACCESS_SOURCE} where c.slug = $2) access`;

/** An access as it was read, and the same as one text: what says the same has the same. */
export type ReadAccess = CommunityAccessRow & { text: string };

const GET_ACCESS = prepared<ReadAccess>(
  () => sql<ReadAccess>`select access.*, access::text as text from ${sql.raw(ACCESS)}`,
);

export async function getAccess(db: Db, access: { slug: string; userId: string }): Promise<ReadAccess | undefined> {
  const [row] = await GET_ACCESS(db, [access.userId, access.slug]);
  return row;
}

/** The access by which was decided what is about to be written. */
export type Expected = { slug: string; text: string };

/**
 * The condition of a statement that the access of the person `$1` is still `$3`, that of `expectedValues`; it always is
 * when nothing is expected.
 */
export const IS_EXPECTED = `($3::text is null or $3 = (select access::text from ${ACCESS}))`;

/** The first three values of a statement with `IS_EXPECTED`. */
export function expectedValues(userId: string, expected: Expected | undefined): unknown[] {
  return [userId, expected?.slug ?? null, expected?.text ?? null];
}
