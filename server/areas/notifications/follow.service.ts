import { type Follow, type FollowKind, type FollowLevel, MAX_FOLLOWS } from '@officium/contract/follows';
import type { UserViewer } from '#server/access/viewer.ts';
import { NOWHERE, openContent } from '#server/areas/community/members/access.service.ts';
import type { LocalViewer } from '#server/areas/community/viewer.sql.ts';
import type { Ctx } from '#server/ctx.ts';
import { type Db, inTransaction } from '#server/db/client.ts';
import { AppError, notFound } from '#server/errors.ts';
import * as repository from './follow.repository.ts';
import type { FollowedThing } from './follow.repository.ts';
import { toFollow, toFollowWithMuted } from './follow.view.ts';
import { sightOf } from './inbox.service.ts';

type Target = { kind: FollowKind; id: string };

export async function listFollows(ctx: Ctx, localViewer: LocalViewer<UserViewer>): Promise<{ follows: Follow[] }> {
  const rows = await repository.findFollows(ctx.db, localViewer, await sightOf(ctx, localViewer.viewer));
  return { follows: rows.map(toFollow) };
}

/** Finds a thing whose posts the viewer may read. A missing one costs the same queries as a hidden one. */
async function openThing(db: Db, viewer: UserViewer, { kind, id }: Target): Promise<FollowedThing> {
  if (kind === 'community') {
    const { community } = await openContent(db, viewer, id);
    return { kind, rowId: community.id };
  }
  if (kind === 'person' && id === viewer.id) throw new AppError('follows.yourself');
  if (kind === 'thread') await openContent(db, viewer, (await repository.getThreadCommunity(db, id)) ?? NOWHERE);
  return { kind, rowId: id };
}

type FollowWithMuted = ReturnType<typeof toFollowWithMuted>;

async function readThing(db: Db, localViewer: LocalViewer, target: Target): Promise<FollowWithMuted> {
  const row = await repository.getFollow(db, localViewer, target);
  if (!row) throw notFound(); // a missing person, or deleted meanwhile
  return toFollowWithMuted(row);
}

export async function readFollow(
  ctx: Ctx,
  localViewer: LocalViewer<UserViewer>,
  target: Target,
): Promise<FollowWithMuted> {
  // Every page with posts asks, so access and level are read at once; nothing leaves before access is decided.
  const [row] = await Promise.all([
    repository.getFollow(ctx.db, localViewer, target),
    openThing(ctx.db, localViewer.viewer, target),
  ]);
  if (!row) throw notFound();
  return toFollowWithMuted(row);
}

/** Hidden things cannot be removed by hand, so they make room when the limit is reached. */
async function keepWithinLimit(ctx: Ctx, viewer: UserViewer): Promise<void> {
  const isOver = async () => (await repository.countFollows(ctx.db, viewer.id)) > MAX_FOLLOWS;
  if (!(await isOver())) return;
  await repository.deleteHiddenFollows(ctx.db, viewer.id, await sightOf(ctx, viewer));
  if (await isOver()) throw new AppError('follows.too_many');
}

export async function setFollow(
  ctx: Ctx,
  localViewer: LocalViewer<UserViewer>,
  { level, ...target }: Target & { level: FollowLevel },
): Promise<Follow> {
  const { viewer } = localViewer;
  const thing = await openThing(ctx.db, viewer, target);
  await readThing(ctx.db, localViewer, target);
  const follow = await inTransaction(ctx.db, async (trx) => {
    await repository.lockFollows(trx, viewer.id);
    if (level === 'normal') await repository.deleteFollow(trx, viewer.id, thing);
    else {
      await repository.putFollow(trx, viewer.id, { ...thing, level });
      await keepWithinLimit({ ...ctx, db: trx }, viewer);
    }
    return await readThing(trx, localViewer, target);
  });
  // Unread notifications may have appeared or disappeared.
  ctx.news.tell(viewer.id);
  return follow;
}
