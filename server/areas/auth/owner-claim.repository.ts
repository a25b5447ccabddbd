import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';
import type { Proven } from './user.repository.ts';

/**
 * Grants ownership of communities to an owner whom a content folder named before they had an account. Returns the
 * communities in which they became a member.
 */
export async function claimOwnedCommunities(db: Db, { userId, email }: Proven): Promise<string[]> {
  // Lock order: communities before members, as in every other change of members.
  await db
    .selectFrom('communities')
    .select('id')
    .where('id', 'in', (eb) =>
      eb.selectFrom('community_owner_claims').select('community_id').where('email', '=', email),
    )
    .orderBy('id')
    .forUpdate()
    .execute();
  // Raw SQL, because one statement deletes the claims, writes the members and counts the new ones.
  const { rows } = await sql<{ id: string }>`
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
    from owned where c.id = owned.community_id and c.id not in (select community_id from already)
    returning c.id`.execute(db);
  return rows.map(({ id }) => id);
}
