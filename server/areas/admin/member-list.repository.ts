import type { MEMBER_SORTS } from '@officium/contract/cohort-lifecycle';
import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';
import type { MemberPosition } from './member.repository.ts';

type MemberSort = (typeof MEMBER_SORTS)[number];
export type ListedMemberRow = {
  id: string;
  email: string;
  name: string;
  is_inactive: boolean;
  joined_at: Date;
  joined_micros: string;
  upload_id: string | null;
};

/** Members of a cohort in an order, from a position on. By name, a person's current name is the position. */
export async function findSortedMembers(
  db: Db,
  query: { cohortId: string; sort: MemberSort; after: MemberPosition | undefined; limit: number },
): Promise<ListedMemberRow[]> {
  const { cohortId, sort, after, limit } = query;
  const direction = sort.startsWith('-') ? 'desc' : 'asc';
  const isByName = sort.endsWith('name');
  // The index on names of users skips erased ones, who are in no cohort.
  let members = db
    .selectFrom('cohort_members as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .where('m.cohort_id', '=', cohortId)
    .where('u.erased_at', 'is', null);
  if (after) {
    const beyond = sql.raw(direction === 'desc' ? '<' : '>');
    const joined = sql`timestamptz 'epoch' + ${after.joinedMicros}::bigint * interval '1 microsecond'`;
    members = members.where(
      isByName
        ? sql<boolean>`(lower(u.name), u.id) ${beyond} (
            select lower(seen.name), seen.id from users as seen where seen.id = ${after.userId}::uuid)`
        : sql<boolean>`(m.joined_at, m.user_id) ${beyond} (${joined}, ${after.userId}::uuid)`,
    );
  }
  const ordered = isByName
    ? members.orderBy((eb) => eb.fn('lower', ['u.name']), direction).orderBy('u.id', direction)
    : members.orderBy('m.joined_at', direction).orderBy('m.user_id', direction);
  return await ordered
    .select((eb) => [
      'u.id',
      sql<string>`coalesce(${eb.ref('u.email')}, '')`.as('email'),
      'u.name',
      eb('u.role', '=', 'inactive').$castTo<boolean>().as('is_inactive'),
      'm.joined_at',
      'm.upload_id',
      sql<string>`(extract(epoch from ${eb.ref('m.joined_at')}) * 1000000)::bigint::text`.as('joined_micros'),
    ])
    .limit(limit)
    .execute();
}
