import { recordAction } from '#server/audit/audit.ts';
import type { ServiceViewer, UserViewer } from '#server/access/viewer.ts';
import { getUser } from '#server/areas/auth/user.service.ts';
import type { Ctx } from '#server/ctx.ts';
import { inTransaction } from '#server/db/client.ts';
import { AppError, invalid, notFound } from '#server/errors.ts';
import { notify } from '#server/notify/notify.ts';
import { countOwners, lockMembers } from './member.repository.ts';
import * as repository from './user-community.repository.ts';
import type { MembershipFields, UserCommunityRow } from './user-community.repository.ts';

type Actor = ServiceViewer | UserViewer;

/** Makes a person a member; no effect on a member. */
export async function createUserCommunity(
  ctx: Ctx,
  actor: Actor,
  { userId, communitySlug, ...fields }: MembershipFields & { userId: string; communitySlug: string },
): Promise<UserCommunityRow> {
  if (!(await getUser(ctx.db, userId))) throw invalid('userId', 'Unknown person');
  const communityId = await repository.getCommunityId(ctx.db, communitySlug);
  if (communityId === undefined) throw invalid('communitySlug', 'Unknown community');
  return await inTransaction(ctx.db, async (trx) => {
    await lockMembers(trx, communityId);
    // Checked again under the lock, which erasure takes too: no erased person becomes a member.
    if (!(await getUser(trx, userId))) throw invalid('userId', 'Unknown person');
    const { id, isNew } = await repository.admitMember(trx, { communityId, userId, ...fields });
    if (isNew) await notify(trx, [{ userId, event: 'community_membership', objectId: communityId }]);
    await recordAction(trx, actor, { action: 'community.admit-member', object: id, detail: { role: fields.role } });
    return await getRecord(trx, id);
  });
}

async function getRecord(db: Ctx['db'], id: string): Promise<UserCommunityRow> {
  const row = await repository.getUserCommunity(db, id);
  if (!row) throw notFound();
  return row;
}

export async function readUserCommunity(ctx: Ctx, id: string): Promise<UserCommunityRow> {
  return await getRecord(ctx.db, id);
}

export async function listUserCommunities(
  ctx: Ctx,
  query: { userId?: string; communitySlug?: string; role?: 'owner' | 'member'; limit: number; offset: number },
): Promise<{ rows: UserCommunityRow[]; total: number }> {
  return await repository.findUserCommunities(ctx.db, query);
}

/** Changes a membership; a community keeps its last owner. */
export async function updateUserCommunity(
  ctx: Ctx,
  actor: Actor,
  { id, userId, communitySlug, ...fields }: MembershipFields & { id: string; userId?: string; communitySlug?: string },
): Promise<UserCommunityRow> {
  const { community_id: communityId } = await getRecord(ctx.db, id);
  return await inTransaction(ctx.db, async (trx) => {
    await lockMembers(trx, communityId);
    const row = await getRecord(trx, id);
    const message = 'A record stays about what it is about';
    if (userId !== undefined && userId !== row.user_id) throw invalid('userId', message);
    if (communitySlug !== undefined && communitySlug !== row.community_slug) throw invalid('communitySlug', message);
    const isDemoted = row.role === 'owner' && row.status === 'active' && fields.role !== 'owner';
    if (isDemoted && (await countOwners(trx, communityId)) === 1) throw new AppError('community.last_owner');
    await repository.updateUserCommunity(trx, id, fields);
    await recordAction(trx, actor, {
      action: 'community.update-member',
      object: id,
      detail: { from: row.role, to: fields.role },
    });
    return await getRecord(trx, id);
  });
}
