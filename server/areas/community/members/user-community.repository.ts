import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';

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

const SOURCE = sql`community_members m join communities c on c.id = m.community_id`;
const COLUMNS = sql`m.id, m.user_id, m.community_id, c.slug as community_slug, m.creator, m.role, m.status, m.metadata,
  m.joined_at, m.updated_at`;

export async function getUserCommunity(db: Db, id: string): Promise<UserCommunityRow | undefined> {
  const { rows } = await sql<UserCommunityRow>`select ${COLUMNS} from ${SOURCE} where m.id = ${id}`.execute(db);
  return rows[0];
}

export async function findUserCommunities(
  db: Db,
  asked: { userId?: string; communitySlug?: string; role?: 'owner' | 'member'; limit: number; offset: number },
): Promise<{ rows: UserCommunityRow[]; total: number }> {
  const { userId, communitySlug, role } = asked;
  const communityId = communitySlug === undefined ? undefined : await getCommunityId(db, communitySlug);
  if (communitySlug !== undefined && communityId === undefined) return { rows: [], total: 0 };
  const where = sql.join(
    [
      sql`true`,
      ...(userId === undefined ? [] : [sql`m.user_id = ${userId}`]),
      ...(communityId === undefined ? [] : [sql`m.community_id = ${communityId}`]),
      ...(role === undefined ? [] : [sql`m.role = ${role}`]),
    ],
    sql` and `,
  );
  const { rows } = await sql<UserCommunityRow>`
    select ${COLUMNS} from ${SOURCE}
    where m.id in (
      select m.id from community_members m where ${where} order by m.joined_at, m.id limit ${asked.limit} offset ${asked.offset})
    order by m.joined_at, m.id`.execute(db);
  if (userId !== undefined) {
    const counted = await sql<{ total: number }>`
      select count(*)::int as total from community_members m where ${where}`.execute(db);
    return { rows, total: counted.rows[0]?.total ?? 0 };
  }
  const communities =
    communityId === undefined ? sql`select id from communities` : sql`select ${communityId}::uuid as id`;
  const roles = role === undefined ? ['owner', 'member'] : [role];
  const counted = await sql<{ total: number }>`
    select coalesce(sum(t.n), 0)::int as total from tallied t
    where t.thing = 'community_members' and t.key in (
      select c.id || ' ' || r.role from (${communities}) c cross join unnest(${roles}::text[]) r (role))`.execute(db);
  return { rows, total: counted.rows[0]?.total ?? 0 };
}

export async function getCommunityId(db: Db, slug: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`select id from communities where slug = ${slug}`.execute(db);
  return rows[0]?.id;
}

/** Makes somebody an active member, counted; one who is already stays as they are. Needs the lock of the community. */
export async function admitMember(
  db: Db,
  member: MembershipFields & { communityId: string; userId: string },
): Promise<string> {
  const { communityId, userId, role, creator } = member;
  const metadata = JSON.stringify(member.metadata);
  await sql`select end_membership(${communityId}, ${userId})`.execute(db);
  await sql`
    with admitted as (
      insert into community_members as m (community_id, user_id, role, status, creator, metadata)
      values (${communityId}, ${userId}, ${role}, 'active', ${creator}, ${metadata})
      on conflict (community_id, user_id) do update set status = 'active', role = excluded.role, level = null,
        creator = excluded.creator, metadata = excluded.metadata, joined_at = now(), updated_at = now()
      where m.status <> 'active'
      returning community_id)
    update communities set member_count = member_count + 1 where id in (select community_id from admitted)`.execute(db);
  const { rows } = await sql<{ id: string }>`
    select id from community_members where community_id = ${communityId} and user_id = ${userId}`.execute(db);
  return rows[0]!.id; // inserted or there before, and nobody else changes members meanwhile
}

/** An owner has full control, whatever they were granted before. */
export async function updateUserCommunity(
  db: Db,
  id: string,
  { role, creator, metadata }: MembershipFields,
): Promise<void> {
  await sql`
    update community_members set role = ${role}, creator = ${creator}, metadata = ${JSON.stringify(metadata)},
      level = case when ${role} = 'owner' then null else level end, updated_at = now()
    where id = ${id}`.execute(db);
}
