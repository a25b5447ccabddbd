import { MAX_UNREAD, type Notification } from '@officium/contract/notifications';
import { isNarrowed, openSlugs } from '#server/access/can.ts';
import type { UserViewer } from '#server/access/viewer.ts';
import type { Reader } from '#server/areas/community/reader.sql.ts';
import { openCommunities } from '#server/areas/community/members/sight.service.ts';
import { readableJourneys } from '#server/areas/learner/enrolment.service.ts';
import type { Ctx } from '#server/ctx.ts';
import { notFound } from '#server/errors.ts';
import * as repository from './notification.repository.ts';
import { toNotification } from './notification.view.ts';
import { isSilenced } from './preference.policy.ts';
import { silencedEvents } from './preference.service.ts';

/** What somebody may see now, as the areas say whose it is. */
export async function sightOf(ctx: Ctx, viewer: UserViewer): Promise<repository.Sight> {
  const communities = await openCommunities(ctx.db, viewer);
  return { ...communities, journeys: await readableJourneys(ctx, viewer), open: openSlugs(viewer) };
}

/** Up to MAX_UNREAD. Asked with every page, so that nothing is looked for of which nothing is unread. */
export async function countUnread(ctx: Ctx, viewer: UserViewer): Promise<{ unread: number }> {
  const unread = await repository.findUnreadEvents(ctx.db, viewer.id);
  const events = unread.filter((chosen) => !isSilenced(chosen)).map(({ event }) => event);
  if (events.length === 0) return { unread: 0 };
  const reader = { viewer, locale: viewer.locale };
  const chosen = { unread: true, events, atMost: MAX_UNREAD };
  return { unread: await repository.countVisible(ctx.db, reader, await sightOf(ctx, viewer), chosen) };
}

export async function listNotifications(
  ctx: Ctx,
  reader: Reader<UserViewer>,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ unread: number; notifications: Notification[]; more: boolean }> {
  const { viewer } = reader;
  const events = await repository.findEvents(ctx.db, viewer.id, await silencedEvents(ctx.db, viewer.id));
  if (events.length === 0) return { unread: 0, notifications: [], more: false };
  const sight = await sightOf(ctx, viewer);
  const page = { events, limit: limit + 1, offset };
  // Almost always what is needed is among the newest; what is not visible any more may take their place.
  const lookAt = Math.min(2 * (offset + limit + 1), repository.LOOKED_AT);
  let rows = await repository.findVisible(ctx.db, reader, sight, { ...page, lookAt });
  if (rows.length <= limit && lookAt < repository.LOOKED_AT)
    rows = await repository.findVisible(ctx.db, reader, sight, page);
  return {
    ...(await countUnread(ctx, viewer)),
    notifications: rows.slice(0, limit).map(toNotification),
    more: rows.length > limit,
  };
}

/** The ids of those of somebody's notifications that they may see. */
async function findSeen(ctx: Ctx, viewer: UserViewer, chosen: repository.Chosen): Promise<string[]> {
  const reader = { viewer, locale: viewer.locale };
  const page = { ...chosen, limit: repository.LOOKED_AT, offset: 0 };
  return (await repository.findVisible(ctx.db, reader, await sightOf(ctx, viewer), page)).map(({ id }) => id);
}

export async function readOne(ctx: Ctx, viewer: UserViewer, id: string): Promise<{ unread: number }> {
  if (isNarrowed(openSlugs(viewer)) && (await findSeen(ctx, viewer, { ids: [id] })).length === 0) throw notFound();
  if (!(await repository.markRead(ctx.db, { userId: viewer.id, id }))) throw notFound();
  ctx.news.tell(viewer.id);
  return await countUnread(ctx, viewer);
}

export async function readAll(ctx: Ctx, viewer: UserViewer): Promise<{ unread: number }> {
  // A session that its token narrows leaves what it is not told of unread.
  const ids = isNarrowed(openSlugs(viewer)) ? await findSeen(ctx, viewer, { unread: true }) : undefined;
  await repository.markAllRead(ctx.db, { userId: viewer.id, ids });
  ctx.news.tell(viewer.id);
  return await countUnread(ctx, viewer);
}
