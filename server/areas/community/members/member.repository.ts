// Raw SQL: `join_community` locks and counts in one function.
import { type RawBuilder, sql } from 'kysely';
import type { Level, Membership } from '#server/access/can.ts';
import type { Viewer } from '#server/access/viewer.ts';
import { type Db, NOW } from '#server/db/client.ts';
import { insertNotices } from '#server/notify/notify.ts';
import { isManager, isTop } from './rights.sql.ts';
import { showsProfile, viewerRelation } from '../viewer.sql.ts';

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

const members = (db: Db) => db.selectFrom('community_members as m').selectAll('m');

/** The given memberships with the users as the viewer may see them, in the order they joined. */
async function showMembers(db: Db, viewer: Viewer, some: ReturnType<typeof members>): Promise<MemberRow[]> {
  return await db
    .selectFrom(viewerRelation(viewer))
    .innerJoin(some.as('m'), (join) => join.onTrue())
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select(['u.id', 'u.name', 'm.role', 'm.level', 'm.joined_at as joinedAt'])
    .select((eb) => {
      const ifShown = (column: 'u.image_thumbnail' | 'u.job_title' | 'u.organization') =>
        eb
          .case()
          .when(sql.raw<boolean>(showsProfile('u')))
          .then(eb.ref(column))
          .end();
      return [
        ifShown('u.image_thumbnail').as('thumbnail'),
        ifShown('u.job_title').as('jobTitle'),
        ifShown('u.organization').as('organization'),
      ];
    })
    .orderBy('m.joined_at')
    .orderBy('m.user_id')
    .$narrowType<Pick<MemberRow, 'role' | 'level'>>()
    .execute();
}

/** Members in the order they joined, and their number. A name is matched literally, in either case. */
export async function findMembers(
  db: Db,
  viewer: Viewer,
  query: { communityId: string; status: Status; name: string | undefined; limit: number; offset: number },
): Promise<{ rows: MemberRow[]; total: number }> {
  const { communityId, status, name, limit, offset } = query;
  const pattern = `%${(name ?? '').replace(/[\\%_]/g, '\\$&')}%`;
  const found = members(db)
    .where('m.community_id', '=', communityId)
    .where('m.status', '=', status)
    .$if(Boolean(name), (qb) =>
      qb.where('m.user_id', 'in', (named) =>
        named.selectFrom('users').select('id').where('name', 'ilike', pattern).where('erased_at', 'is', null),
      ),
    );
  const page = found.orderBy('m.joined_at').orderBy('m.user_id').limit(limit).offset(offset);
  // Active members have a counter; the others are few.
  const counted =
    !name && status === 'active'
      ? db.selectFrom('communities').select('member_count as total').where('id', '=', communityId)
      : found.clearSelect().select((eb) => eb.fn.countAll<number>().as('total'));
  return { rows: await showMembers(db, viewer, page), total: (await counted.executeTakeFirst())?.total ?? 0 };
}

export async function getMember(db: Db, viewer: Viewer, member: MemberKey): Promise<MemberRow | undefined> {
  const one = members(db).where('m.community_id', '=', member.communityId).where('m.user_id', '=', member.userId);
  const [row] = await showMembers(db, viewer, one);
  return row;
}

/** Locks the memberships of a community, so that its counter stays exact and its last owner stays. */
export async function lockMembers(db: Db, communityId: string): Promise<void> {
  await db.selectFrom('communities').select('id').where('id', '=', communityId).forNoKeyUpdate().execute();
}

/** A membership read under the lock; `isTop`: an owner or an administrator. */
export type MembershipRow = NonNullable<Membership> & { isTop: boolean };

export async function getMembership(db: Db, member: MemberKey): Promise<MembershipRow | undefined> {
  return await db
    .selectFrom('community_members as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select(['m.role', 'm.level', 'm.status', sql.raw<boolean>(isTop('u', 'm.community_id')).as('isTop')])
    .where('m.community_id', '=', member.communityId)
    .where('m.user_id', '=', member.userId)
    .where((eb) => eb.or([eb('m.expires_on', 'is', null), eb('m.expires_on', '>', NOW)]))
    .$narrowType<MembershipRow>()
    .executeTakeFirst();
}

export async function countOwners(db: Db, communityId: string): Promise<number> {
  const { owners } = await db
    .selectFrom('community_members')
    .select((eb) => eb.fn.countAll<number>().as('owners'))
    .where('community_id', '=', communityId)
    .where('role', '=', 'owner')
    .where('status', '=', 'active')
    .executeTakeFirstOrThrow();
  return owners;
}

/** Notifies those who manage the members of a community, else all administrators, of a request that was `joined`. */
function noticesOfRequest({ communityId, userId }: MemberKey): RawBuilder<unknown> {
  return insertNotices(sql`(
    with managers as (
      select m.user_id from community_members m
      where m.community_id = ${communityId} and m.user_id <> ${userId} and ${sql.raw(isManager('m'))}),
    recipients as (
      select user_id from managers
      union all
      select u.id from users u
      where u.role = 'administrator' and u.id <> ${userId} and not exists (select from managers))
    select r.user_id, 'join_request' as event, ${communityId}::uuid as object_id, null::uuid as activity_id,
      null::uuid as since_id
    from joined cross join recipients r where joined.done)`);
}

/**
 * Lets a user join or ask to join if their status is still `former`, on which that was decided; false when it has
 * changed. `join_community` locks and counts in the same statement, which also notifies of a request.
 */
export async function joinIfStill(
  db: Db,
  member: MemberKey & { former: Status | null; status: 'active' | 'pending' },
): Promise<boolean> {
  const joined = sql`select join_community(${member.communityId}, ${member.userId}, ${member.former}, ${member.status}) as done`;
  const { rows } = await sql<{ done: boolean }>`
    with joined as materialized (${joined})
    ${member.status === 'pending' ? sql`, told as (${noticesOfRequest(member)})` : sql``}
    select done from joined`.execute(db);
  return rows[0]?.done ?? false;
}

/** Adds a membership or changes the status of an existing one, and counts newly active members. */
export async function putMember(
  db: Db,
  member: MemberKey & { role?: 'owner' | 'member'; level?: Level | null; status: Status; joinedAt?: Date },
): Promise<void> {
  const { communityId, userId, role = 'member', level = null, status } = member;
  const put = db
    .insertInto('community_members')
    .values({
      community_id: communityId,
      user_id: userId,
      role,
      level,
      status,
      joined_at: member.joinedAt ?? NOW,
    })
    .onConflict((row) =>
      row
        .columns(['community_id', 'user_id'])
        .doUpdateSet((eb) => ({ status: eb.ref('excluded.status'), joined_at: eb.ref('excluded.joined_at') })),
    );
  if (status !== 'active') return void (await put.execute());
  await db
    .with('former', (qb) =>
      qb
        .selectFrom('community_members')
        .select('status')
        .where('community_id', '=', communityId)
        .where('user_id', '=', userId),
    )
    .with('put', () => put)
    .updateTable('communities')
    .set((eb) => ({ member_count: eb('member_count', '+', 1) }))
    .where('id', '=', communityId)
    .where(({ exists, not, selectFrom }) =>
      not(exists(selectFrom('former').select('status').where('status', '=', 'active'))),
    )
    .execute();
}

export async function updateLevel(db: Db, member: MemberKey & { level: Level | null }): Promise<void> {
  await db
    .updateTable('community_members')
    .set({ level: member.level })
    .where('community_id', '=', member.communityId)
    .where('user_id', '=', member.userId)
    .execute();
}

/** Resets the level: an owner has full control, and a former owner gets the default. */
export async function updateRole(db: Db, member: MemberKey & { role: 'owner' | 'member' }): Promise<void> {
  await db
    .updateTable('community_members')
    .set({ role: member.role, level: null })
    .where('community_id', '=', member.communityId)
    .where('user_id', '=', member.userId)
    .where('role', '<>', member.role)
    .execute();
}

export async function deleteMember(db: Db, member: MemberKey): Promise<void> {
  await db
    .with('gone', (qb) =>
      qb
        .deleteFrom('community_members')
        .where('community_id', '=', member.communityId)
        .where('user_id', '=', member.userId)
        .returning('status'),
    )
    .updateTable('communities')
    .set((eb) => ({ member_count: eb('member_count', '-', 1) }))
    .where('id', '=', member.communityId)
    .where(({ exists, selectFrom }) => exists(selectFrom('gone').select('status').where('status', '=', 'active')))
    .execute();
}
