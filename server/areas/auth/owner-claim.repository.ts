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
  // One statement deletes the claims, writes the members and counts the new ones.
  const rows = await db
    .with('claimed', (cte) =>
      cte.deleteFrom('community_owner_claims').where('email', '=', email).returning('community_id'),
    )
    .with('already', (cte) =>
      cte
        .selectFrom('community_members as m')
        .innerJoin('claimed', 'claimed.community_id', 'm.community_id')
        .select('m.community_id')
        .where('m.user_id', '=', userId)
        .where('m.status', '=', 'active')
        .forUpdate('m'),
    )
    .with('owned', (cte) =>
      cte
        .insertInto('community_members')
        .columns(['community_id', 'user_id', 'role', 'status'])
        .expression((eb) =>
          eb
            .selectFrom('claimed')
            .select([
              'community_id',
              sql<string>`${userId}::uuid`.as('user_id'),
              sql<string>`'owner'`.as('role'),
              sql<string>`'active'`.as('status'),
            ]),
        )
        .onConflict((row) =>
          row.columns(['community_id', 'user_id']).doUpdateSet({ role: 'owner', status: 'active', level: null }),
        )
        .returning('community_id'),
    )
    .updateTable('communities as c')
    .from('owned')
    .set((eb) => ({ member_count: eb('c.member_count', '+', 1) }))
    .whereRef('c.id', '=', 'owned.community_id')
    .where('c.id', 'not in', (eb) => eb.selectFrom('already').select('community_id'))
    .returning('c.id')
    .execute();
  return rows.map(({ id }) => id);
}
