import type { Member } from '@officium/contract/community';
import type { z } from 'zod';
import { recordAction } from '#server/audit/audit.ts';
import { LEVELS, type LevelName, type Membership, readLevel } from '#server/access/can.ts';
import type { UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { type Db, inTransaction } from '#server/db/client.ts';
import { AppError, notFound } from '#server/errors.ts';
import { notify } from '#server/notify/notify.ts';
import { type CommunityAccess, openCommunity, openToManage, openWithLevel, REDUCED } from './access.service.ts';
import { canGrantLevel, canGrantRole, canModerateMember } from './member.policy.ts';
import * as repository from './member.repository.ts';

type MemberView = z.output<typeof Member>;
type Status = NonNullable<Membership>['status'];

function toMember({ level, joinedAt, ...row }: repository.MemberRow): MemberView {
  return { ...row, level: level === null ? null : LEVELS[level], joinedAt: joinedAt.toISOString() };
}

export async function listMembers(
  ctx: Ctx,
  viewer: UserViewer,
  slug: string,
  query: { offset: number; count: number; 'user.name'?: string; status: Status },
): Promise<{ members: MemberView[]; total: number }> {
  const { community } =
    query.status === 'active'
      ? await openWithLevel(ctx.db, viewer, slug, REDUCED)
      : await openToManage(ctx.db, viewer, slug);
  const { rows, total } = await repository.findMembers(ctx.db, viewer, {
    communityId: community.id,
    status: query.status,
    name: query['user.name'],
    limit: query.count,
    offset: query.offset,
  });
  return { members: rows.map(toMember), total };
}

/** Joins or asks to join; no effect for members and pending requests. */
export async function joinCommunity(
  ctx: Ctx,
  viewer: UserViewer,
  slug: string,
): Promise<{ role: 'owner' | 'member'; status: Status }> {
  // Decide again when the membership changed between the decision and its effect.
  for (;;) {
    const { community, membership, join } = await openCommunity(ctx.db, viewer, slug);
    const { role, status: former } = membership ?? { role: 'member', status: null };
    if (join === 'no' && former === null) throw new AppError('auth.forbidden');
    const wanted = join === 'yes' ? 'active' : 'pending';
    if (former !== null && (former === 'active' || former === wanted || join === 'no')) return { role, status: former };
    const change = { communityId: community.id, userId: viewer.id, former, status: wanted } as const;
    if (await repository.joinIfStill(ctx.db, change)) return { role, status: wanted };
  }
}

/** Locks the members of a community. The access is read under the lock, since the viewer may lose it while waiting. */
async function lockToModerate(
  trx: Db,
  viewer: UserViewer,
  { community: { id, slug } }: CommunityAccess,
): Promise<CommunityAccess> {
  await repository.lockMembers(trx, id);
  return await openToManage(trx, viewer, slug);
}

export async function leaveCommunity(ctx: Ctx, viewer: UserViewer, slug: string): Promise<void> {
  const { community, membership } = await openCommunity(ctx.db, viewer, slug);
  if (!membership) throw notFound();
  await endMembership(ctx.db, { communityId: community.id, userId: viewer.id }, () => true);
}

/** Declines a request to join, withdraws an invitation, or removes a member. */
export async function removeMember(ctx: Ctx, viewer: UserViewer, at: { slug: string; userId: string }): Promise<void> {
  const former = await openToManage(ctx.db, viewer, at.slug);
  const isSelf = at.userId === viewer.id;
  await inTransaction(ctx.db, async (trx) => {
    const access = await lockToModerate(trx, viewer, former);
    const member = { communityId: access.community.id, userId: at.userId };
    const { status } = await endMembership(trx, member, (row) => isSelf || canModerateMember(access, row));
    if (!isSelf)
      await recordAction(trx, viewer, {
        action: 'community.remove-member',
        object: at.userId,
        detail: { communityId: member.communityId, status },
      });
  });
}

async function endMembership(
  db: Db,
  member: { communityId: string; userId: string },
  mayEnd: (member: repository.MembershipRow) => boolean,
): Promise<repository.MembershipRow> {
  return await inTransaction(db, async (trx) => {
    await repository.lockMembers(trx, member.communityId);
    const membership = await repository.getMembership(trx, member);
    if (!membership) throw notFound();
    if (!mayEnd(membership)) throw new AppError('auth.forbidden');
    const isOwner = membership.role === 'owner' && membership.status === 'active';
    if (isOwner && (await repository.countOwners(trx, member.communityId)) === 1)
      throw new AppError('community.last_owner');
    await repository.deleteMember(trx, member);
    return membership;
  });
}

/** Appoints or dismisses an owner; the user must be an active member. */
async function changeRole(
  trx: Db,
  member: { communityId: string; userId: string },
  former: repository.MembershipRow,
  role: 'owner' | 'member',
): Promise<void> {
  if (former.status !== 'active') throw new AppError('request.conflict');
  if (former.role === 'owner' && role === 'member' && (await repository.countOwners(trx, member.communityId)) === 1)
    throw new AppError('community.last_owner');
  await repository.updateRole(trx, { ...member, role });
}

/** Approves a request to join, or sets a member's role or level. */
export async function updateMember(
  ctx: Ctx,
  viewer: UserViewer,
  at: { slug: string; userId: string },
  input: { status?: 'active'; level?: LevelName | null; role?: 'owner' | 'member' },
): Promise<MemberView> {
  const former = await openToManage(ctx.db, viewer, at.slug);
  const member = { communityId: former.community.id, userId: at.userId };
  return await inTransaction(ctx.db, async (trx) => {
    const access = await lockToModerate(trx, viewer, former);
    const membership = await repository.getMembership(trx, member);
    if (!membership) throw notFound();
    if (input.status === 'active') {
      // Only the invited person accepts an invitation.
      if (membership.status === 'invited') throw new AppError('request.conflict');
      if (membership.status === 'pending') {
        await repository.putMember(trx, { ...member, status: 'active' });
        await notify(trx, [{ userId: member.userId, event: 'community_membership', objectId: member.communityId }]);
      }
      membership.status = 'active';
    }
    if (input.role !== undefined) {
      if (!canGrantRole(access)) throw new AppError('auth.forbidden');
      await changeRole(trx, member, membership, input.role);
      if (input.role === 'owner' && membership.role !== 'owner' && at.userId !== viewer.id)
        await notify(trx, [{ userId: member.userId, event: 'community_membership', objectId: member.communityId }]);
      membership.role = input.role;
    }
    if (input.level !== undefined) {
      const level = input.level === null ? null : readLevel(input.level);
      if (!canGrantLevel(access, membership, level)) throw new AppError('auth.forbidden');
      if (membership.role === 'owner') throw new AppError('request.conflict');
      await repository.updateLevel(trx, { ...member, level });
    }
    const row = await repository.getMember(trx, viewer, member);
    if (!row) throw notFound();
    await recordAction(trx, viewer, {
      action: 'community.change-member',
      object: at.userId,
      detail: { communityId: member.communityId, ...input },
    });
    return toMember(row);
  });
}
