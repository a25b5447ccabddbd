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

/** A person's memberships of communities that are there, in the order they joined. */
export async function findMemberships(db: Db, userId: string): Promise<UserMembershipRow[]> {
  const { rows } = await sql<UserMembershipRow>`
    select m.id, m.user_id, c.slug, m.role, m.status, m.creator, m.metadata, m.joined_at, m.updated_at
    from community_members m join communities c on c.id = m.community_id
      join entries e on e.id = c.entry_id and e.status = 'published'
    where m.user_id = ${userId} and (m.expires_on <= now()) is not true order by m.joined_at, c.slug`.execute(db);
  return rows;
}
