import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';
import type { Proven } from './user.repository.ts';

/** A community's owner, named in a content folder before they had an account, becomes one. */
export async function claimOwnedCommunities(db: Db, { userId, email }: Proven): Promise<void> {
  // Communities first, as everything does that changes members and their number.
  await sql`
    select 1 from communities where id in (select community_id from community_owner_claims where email = ${email})
    order by id for update`.execute(db);
  await sql`
    with claimed as (delete from community_owner_claims where email = ${email} returning community_id),
    already as (
      select m.community_id from community_members m join claimed using (community_id)
      where m.user_id = ${userId} and m.status = 'active' for update of m),
    owned as (
      insert into community_members (community_id, user_id, role, status)
      select community_id, ${userId}, 'owner', 'active' from claimed
      on conflict (community_id, user_id) do update set role = 'owner', status = 'active', level = null
      returning community_id)
    update communities c set member_count = member_count + 1
    from owned where c.id = owned.community_id and c.id not in (select community_id from already)`.execute(db);
}
