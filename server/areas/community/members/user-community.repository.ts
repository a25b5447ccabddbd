// Raw SQL: `end_membership` is a function of the database.
import { sql } from 'kysely';
import { type Db, NOW } from '#server/db/client.ts';

export type UserCommunityRow = {
  id: string;
  user_id: string;
  community_id: string;
  community_slug: string;
  creator: boolean;
  role: 'owner' | 'member';
  status: 'active' | 'pending' | 'invited';
  metadata: Record<string, unknown>;
  joined_at: Date;
  updated_at: Date;
};
export type MembershipFields = Pick<UserCommunityRow, 'creator' | 'role' | 'metadata'>;

const records = (db: Db) =>
  db
    .selectFrom('community_members as m')
    .innerJoin('communities as c', 'c.id', 'm.community_id')
    .select(['m.id', 'm.user_id', 'm.community_id', 'c.slug as community_slug', 'm.creator', 'm.role', 'm.status'])
    .select(['m.metadata', 'm.joined_at', 'm.updated_at'])
    .$castTo<UserCommunityRow>(); // constrained texts and JSON, which the generated types do not narrow

export async function getUserCommunity(db: Db, id: string): Promise<UserCommunityRow | undefined> {
  return await records(db).where('m.id', '=', id).executeTakeFirst();
}

export async function findUserCommunities(
  db: Db,
  query: { userId?: string; communitySlug?: string; role?: 'owner' | 'member'; limit: number; offset: number },
): Promise<{ rows: UserCommunityRow[]; total: number }> {
  const { userId, communitySlug, role } = query;
  const communityId = communitySlug === undefined ? undefined : await getCommunityId(db, communitySlug);
  if (communitySlug !== undefined && communityId === undefined) return { rows: [], total: 0 };
  const found = db
    .selectFrom('community_members')
    .$if(userId !== undefined, (qb) => qb.where('user_id', '=', userId!)) // not undefined
    .$if(communityId !== undefined, (qb) => qb.where('community_id', '=', communityId!)) // not undefined
    .$if(role !== undefined, (qb) => qb.where('role', '=', role!)); // not undefined
  const page = found.select('id').orderBy('joined_at').orderBy('id').limit(query.limit).offset(query.offset);
  const rows = await records(db).where('m.id', 'in', page).orderBy('m.joined_at').orderBy('m.id').execute();
  if (userId !== undefined) {
    const { total } = await found.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
    return { rows, total };
  }
  const roles = role === undefined ? ['owner', 'member'] : [role];
  const { total } = await db
    .selectFrom('tallied as t')
    .select((eb) => eb.cast<number>(eb.fn.coalesce(eb.fn.sum('t.n'), eb.lit(0)), 'integer').as('total'))
    .where('t.thing', '=', 'community_members')
    .$if(
      communityId !== undefined,
      (qb) =>
        qb.where(
          't.key',
          'in',
          roles.map((one) => `${communityId} ${one}`),
        ), // the keys of tally_community_members
    )
    .$if(communityId === undefined, (qb) => qb.where(sql`split_part(t.key, ' ', 2)`, 'in', roles))
    .executeTakeFirstOrThrow();
  return { rows, total };
}

export async function getCommunityId(db: Db, slug: string): Promise<string | undefined> {
  const row = await db.selectFrom('communities').select('id').where('slug', '=', slug).executeTakeFirst();
  return row?.id;
}

/**
 * Makes a user an active member and counts them; no effect on an active member (`isNew`). Requires the lock of the
 * community.
 */
export async function admitMember(
  db: Db,
  member: MembershipFields & { communityId: string; userId: string },
): Promise<{ id: string; isNew: boolean }> {
  const { communityId, userId, role, creator } = member;
  const metadata = JSON.stringify(member.metadata);
  await sql`select end_membership(${communityId}, ${userId})`.execute(db);
  const values = { role, creator, metadata, status: 'active' };
  const { numUpdatedRows } = await db
    .with('admitted', (qb) =>
      qb
        .insertInto('community_members')
        .values({ community_id: communityId, user_id: userId, ...values })
        .onConflict((row) =>
          row
            .columns(['community_id', 'user_id'])
            .doUpdateSet({ ...values, level: null, joined_at: NOW, updated_at: NOW })
            .where('community_members.status', '<>', 'active'),
        )
        .returning('community_id'),
    )
    .updateTable('communities')
    .set((eb) => ({ member_count: eb('member_count', '+', 1) }))
    .where('id', 'in', (qb) => qb.selectFrom('admitted').select('community_id'))
    .executeTakeFirstOrThrow();
  const { id } = await db
    .selectFrom('community_members')
    .select('id')
    .where('community_id', '=', communityId)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow(); // the row exists, and the lock keeps others from deleting it
  return { id, isNew: numUpdatedRows > 0n };
}

/** An owner has full control, so a level granted before is reset. */
export async function updateUserCommunity(
  db: Db,
  id: string,
  { role, creator, metadata }: MembershipFields,
): Promise<void> {
  await db
    .updateTable('community_members')
    .set({ role, creator, metadata: JSON.stringify(metadata), updated_at: NOW })
    .$if(role === 'owner', (qb) => qb.set({ level: null }))
    .where('id', '=', id)
    .execute();
}
