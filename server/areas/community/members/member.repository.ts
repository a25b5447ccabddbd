import { type RawBuilder, sql } from 'kysely';
import type { Level, Membership } from '#server/access/can.ts';
import type { Viewer } from '#server/access/viewer.ts';
import type { Db } from '#server/db/client.ts';
import { readerSql, showsProfile } from '../reader.sql.ts';

type Status = NonNullable<Membership>['status'];
type MemberKey = { communityId: string; userId: string };

export type MemberRow = {
  id: string;
  name: string;
  thumbnail: string | null;
  jobTitle: string | null;
  organization: string | null;
  role: 'owner' | 'member';
  level: Level | null;
  joinedAt: Date;
};

const seen = (column: string) => `case when ${showsProfile('u')} then u.${column} end`;
const COLUMNS = `u.id, u.name, ${seen('image_thumbnail')} as thumbnail,
  ${seen('job_title')} as "jobTitle", ${seen('organization')} as organization, m.role, m.level, m.joined_at as "joinedAt"`;

/** Members in the order they came, and how many there are. A name is looked for as it stands, in either case. */
export async function findMembers(
  db: Db,
  viewer: Viewer,
  members: { communityId: string; status: Status; name: string | undefined; limit: number; offset: number },
): Promise<{ rows: MemberRow[]; total: number }> {
  const { communityId, status, name, limit, offset } = members;
  const isMember = sql`m.community_id = ${communityId} and m.status = ${status}`;
  const order = sql`order by m.joined_at, m.user_id limit ${limit} offset ${offset}`;
  const list = async (of: RawBuilder<unknown>) =>
    (
      await sql<MemberRow>`
        select ${sql.raw(COLUMNS)}
        from ${readerSql(viewer)} cross join (${of} ${order}) m join users u on u.id = m.user_id
        order by m.joined_at, m.user_id`.execute(db)
    ).rows;
  const count = async (query: RawBuilder<unknown>) =>
    (await sql<{ total: number }>`${query}`.execute(db)).rows[0]?.total ?? 0;
  if (!name) {
    // Whoever is active is counted with the community; those who wait are few.
    const total =
      status === 'active'
        ? sql`select member_count as total from communities where id = ${communityId}`
        : sql`select count(*)::int as total from community_members m where ${isMember}`;
    return { rows: await list(sql`select m.* from community_members m where ${isMember}`), total: await count(total) };
  }
  const pattern = `%${name.replace(/[\\%_]/g, '\\$&')}%`;
  const found = sql`community_members m join users u on u.id = m.user_id
    where ${isMember} and u.name ilike ${pattern} and u.erased_at is null`;
  return {
    rows: await list(sql`select m.* from ${found}`),
    total: await count(sql`select count(*)::int as total from ${found}`),
  };
}

export async function getMember(db: Db, viewer: Viewer, member: MemberKey): Promise<MemberRow | undefined> {
  const { rows } = await sql<MemberRow>`
    select ${sql.raw(COLUMNS)}
    from ${readerSql(viewer)} cross join community_members m join users u on u.id = m.user_id
    where m.community_id = ${member.communityId} and m.user_id = ${member.userId}`.execute(db);
  return rows[0];
}

/** Memberships of a community change one after another, so that counts hold and an owner always stays. */
export async function lockMembers(db: Db, communityId: string): Promise<void> {
  await sql`select 1 from communities where id = ${communityId} for no key update`.execute(db);
}

/** A membership about to be changed, read under the lock; `isTop`: an owner or an administrator. */
export type MembershipRow = NonNullable<Membership> & { isTop: boolean };

export async function getMembership(db: Db, member: MemberKey): Promise<MembershipRow | undefined> {
  const { rows } = await sql<MembershipRow>`
    select m.role, m.level, m.status, m.role = 'owner' or u.role = 'administrator' as "isTop"
    from community_members m join users u on u.id = m.user_id
    where m.community_id = ${member.communityId} and m.user_id = ${member.userId}
      and (m.expires_on <= now()) is not true`.execute(db);
  return rows[0];
}

export async function countOwners(db: Db, communityId: string): Promise<number> {
  const { rows } = await sql<{ owners: number }>`
    select count(*)::int as owners from community_members
    where community_id = ${communityId} and role = 'owner' and status = 'active'`.execute(db);
  return rows[0]?.owners ?? 0;
}

/**
 * Lets somebody join or ask to, if their membership is still what it was when that was decided (`former`); false when it
 * is not. One statement, `join_community` in the database, with lock and counter.
 */
export async function joinIfStill(
  db: Db,
  member: MemberKey & { former: Status | null; status: 'active' | 'pending' },
): Promise<boolean> {
  const { rows } = await sql<{ done: boolean }>`
    with acting as materialized (select set_config('officium.actor', ${member.userId}, true)) -- who is not told of it
    select join_community(${member.communityId}, ${member.userId}, ${member.former}, ${member.status}) as done
    from acting`.execute(db);
  return rows[0]?.done ?? false;
}

/** Adds a membership, or gives the one there is another status, counting members as they become active. */
export async function putMember(
  db: Db,
  member: MemberKey & { role?: 'owner' | 'member'; level?: Level | null; status: Status; joinedAt?: Date },
): Promise<void> {
  const { communityId, userId, role = 'member', level = null, status } = member;
  const joinedAt = member.joinedAt ?? null;
  await sql`
    with former as (
      select status from community_members where community_id = ${communityId} and user_id = ${userId}
    ), put as (
      insert into community_members as m (community_id, user_id, role, level, status, joined_at)
      values (${communityId}, ${userId}, ${role}, ${level}, ${status}, coalesce(${joinedAt}::timestamptz, now()))
      on conflict (community_id, user_id) do update set status = excluded.status, joined_at = excluded.joined_at
    )
    update communities set member_count = member_count + 1
    where id = ${communityId} and ${status} = 'active'
      and not exists (select from former where status = 'active')`.execute(db);
}

export async function updateLevel(db: Db, member: MemberKey & { level: Level | null }): Promise<void> {
  await sql`
    update community_members set level = ${member.level}
    where community_id = ${member.communityId} and user_id = ${member.userId}`.execute(db);
}

/** A level granted before would hold an owner below what owners may do, and stay when they are one no more. */
export async function updateRole(db: Db, member: MemberKey & { role: 'owner' | 'member' }): Promise<void> {
  await sql`
    update community_members set role = ${member.role}, level = null
    where community_id = ${member.communityId} and user_id = ${member.userId} and role <> ${member.role}`.execute(db);
}

export async function deleteMember(db: Db, member: MemberKey): Promise<void> {
  await sql`
    with gone as (
      delete from community_members where community_id = ${member.communityId} and user_id = ${member.userId}
      returning status
    )
    update communities set member_count = member_count - 1
    where id = ${member.communityId} and exists (select from gone where status = 'active')`.execute(db);
}
