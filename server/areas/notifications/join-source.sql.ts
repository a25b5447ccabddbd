import { type RawBuilder, sql } from 'kysely';
import { isManager } from '#server/areas/community/members/rights.sql.ts';
import { localText } from '#server/areas/community/viewer.sql.ts';

type Source = { head: RawBuilder<unknown>; nobody: RawBuilder<unknown>; isNarrowed: boolean };

/** Requests to join, for people who may decide them now, with the number that waits. A narrowed session sees none. */
export function ofJoinRequests({ head, nobody, isNarrowed }: Source): RawBuilder<unknown> {
  return sql`
    select ${head}, ${nobody}, pending.count, ${sql.raw(localText('c.title', 'c.locale'))}, null,
      array['communityMembers', c.slug], null, null::timestamptz, null
    from v cross join n
    join communities c on c.id = n.object_id
    cross join lateral (
      select count(*)::int as count from community_members p where p.community_id = c.id and p.status = 'pending') pending
    where n.event = 'join_request' and pending.count > 0 and ${!isNarrowed} and (v.is_admin or exists (
      select from community_members m
      where m.community_id = c.id and m.user_id = v.id and ${sql.raw(isManager('m'))}))`;
}
