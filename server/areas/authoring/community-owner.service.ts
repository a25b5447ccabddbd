import type { CommunityOwner } from '@officium/contract/authoring';
import { recordAction } from '#server/audit/audit.ts';
import type { UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { type Db, inTransaction } from '#server/db/client.ts';
import { AppError, notFound } from '#server/errors.ts';
import { notify } from '#server/notify/notify.ts';
import * as owners from '#server/areas/importing/owner.repository.ts';
import { makeOwners } from '#server/areas/importing/owner.service.ts';
import { openPiece } from './piece-open.service.ts';

/** Returns the community of a piece; undefined for a draft, which has no community yet. */
async function communityOf(db: Db, key: string): Promise<string | undefined> {
  await openPiece(db, { kind: 'community', key });
  return await owners.getCommunityId(db, key);
}

export async function listOwners(ctx: Pick<Ctx, 'db'>, key: string): Promise<{ owners: CommunityOwner[] }> {
  const communityId = await communityOf(ctx.db, key);
  return { owners: communityId === undefined ? [] : await owners.findOwners(ctx.db, communityId) };
}

/** Makes a person an owner, immediately or when an account with this address exists. */
export async function addOwner(
  ctx: Ctx,
  actor: UserViewer,
  { key, email }: { key: string; email: string },
): Promise<{ owners: CommunityOwner[] }> {
  return await inTransaction(ctx.db, async (db) => {
    const communityId = await communityOf(db, key);
    if (communityId === undefined) throw new AppError('content.not_live');
    await owners.lockCommunities(db, [communityId]);
    const userId = (await owners.findProven(db, [email])).get(email);
    if (userId === undefined) await owners.insertClaim(db, { communityId, email });
    else if ((await makeOwners(db, [{ communityId, userId }])).length > 0 && userId !== actor.id)
      await notify(db, [{ userId, event: 'community_membership', objectId: communityId }]);
    const detail = { communityId, hasAccount: userId !== undefined };
    await recordAction(db, actor, { action: 'content.name-owner', object: key, detail });
    return await listOwners({ db }, key);
  });
}

/** Demotes an owner to a member. The last owner cannot be demoted. */
export async function removeOwner(
  ctx: Ctx,
  actor: UserViewer,
  { key, email }: { key: string; email: string },
): Promise<void> {
  await inTransaction(ctx.db, async (db) => {
    const communityId = await communityOf(db, key);
    if (communityId === undefined) throw notFound();
    await owners.lockCommunities(db, [communityId]);
    const all = await owners.findOwners(db, communityId);
    const owner = all.find((each) => each.email === email);
    if (!owner) throw notFound();
    if (owner.userId === null) await owners.deleteClaim(db, { communityId, email });
    else if (all.filter((each) => each.userId !== null).length === 1) throw new AppError('community.last_owner');
    else await owners.demoteOwner(db, { communityId, userId: owner.userId });
    const detail = { communityId, hadAccount: owner.userId !== null };
    await recordAction(db, actor, { action: 'content.remove-owner', object: key, detail });
  });
}
