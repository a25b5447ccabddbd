// Raw SQL: prepared, because every request about a community reads the access first.
import type { Locale } from '@officium/contract/common';
import { sql } from 'kysely';
import type { CommunityPrivacy, Level, Scope } from '#server/access/can.ts';
import { type Db, prepared } from '#server/db/client.ts';

/** A community with one user's access to it. */
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
 * The condition that a cohort of the user `v.id` grants access to a community `c`. The grants are read once per
 * statement, where `is_granted` would run for every community.
 */
export const IS_GRANTED = `(c.entry_id in (
  select granted.entry_id from cohort_members own join cohort_products granted on granted.cohort_id = own.cohort_id
  where own.user_id = v.id))`;

/** The columns of CommunityAccessRow. A community that is no product has the scope private. */
export const ACCESS_COLUMNS = `c.id, c.slug, c.privacy, coalesce(p.can_view, 'private') as "canView",
  coalesce(p.can_join, 'private') as "canJoin", ${IS_GRANTED} as "isGranted", c.locale, c.categories,
  m.role, m.level, m.status, m.joined_at as "joinedAt"`;

/** The source of those columns, for the user `v.id`. It omits withdrawn communities and expired memberships. */
export const ACCESS_SOURCE = accessSourceOf('v.id');

/** The same for another user id. */
export function accessSourceOf(userId: string): string {
  return `communities c
  join entries e on e.id = c.entry_id and e.status = 'published'
  left join products p on p.entry_id = c.entry_id
  left join community_members m on m.community_id = c.id and m.user_id = ${userId} and (m.expires_on <= now()) is not true`;
}

/** The access of the user `$1` to the community with the slug `$2`. */
const ACCESS = `(select ${ACCESS_COLUMNS} from (select $1::uuid as id) v cross join ${ACCESS_SOURCE} where c.slug = $2) access`;

/** An access with its text form; equal texts mean equal access. */
export type ReadAccess = CommunityAccessRow & { text: string };

const GET_ACCESS = prepared<ReadAccess>(
  () => sql<ReadAccess>`select access.*, access::text as text from ${sql.raw(ACCESS)}`,
);

export async function getAccess(db: Db, access: { slug: string; userId: string }): Promise<ReadAccess | undefined> {
  const [row] = await GET_ACCESS(db, [access.userId, access.slug]);
  return row;
}

/** The access on which a pending write was decided. */
export type Expected = { slug: string; text: string };

/**
 * The condition that the access of the user `$1` still equals `$3`, of `expectedValues`; true when no access is
 * expected.
 */
export const IS_EXPECTED = `($3::text is null or $3 = (select access::text from ${ACCESS}))`;

/** The first three values of a statement with `IS_EXPECTED`. */
export function expectedValues(userId: string, expected: Expected | undefined): unknown[] {
  return [userId, expected?.slug ?? null, expected?.text ?? null];
}
