import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';

export type UserMembershipRow = {
  id: string;
  user_id: string;
  slug: string;
  role: 'owner' | 'member';
  status: 'active' | 'pending' | 'invited';
  creator: boolean;
  metadata: Record<string, unknown>;
  joined_at: Date;
  updated_at: Date;
};

/** A user's memberships of published communities, by join date. */
export async function findMemberships(db: Db, userId: string): Promise<UserMembershipRow[]> {
  return await db
    .selectFrom('community_members as m')
    .innerJoin('communities as c', 'c.id', 'm.community_id')
    .innerJoin('entries as e', 'e.id', 'c.entry_id')
    .select([
      'm.id',
      'm.user_id',
      'c.slug',
      'm.role',
      'm.status',
      'm.creator',
      'm.metadata',
      'm.joined_at',
      'm.updated_at',
    ])
    .$castTo<UserMembershipRow>()
    .where('e.status', '=', 'published')
    .where('m.user_id', '=', userId)
    .where((eb) => sql<boolean>`(${eb.ref('m.expires_on')} <= now()) is not true`)
    .orderBy('m.joined_at')
    .orderBy('c.slug')
    .execute();
}
