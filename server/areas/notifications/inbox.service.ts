import { MAX_UNREAD, type Notification } from '@officium/contract/notifications';
import { isNarrowed, openScopes, openSlugs } from '#server/access/can.ts';
import type { UserViewer } from '#server/access/viewer.ts';
import type { LocalViewer } from '#server/areas/community/viewer.sql.ts';
import { visibleCommunities } from '#server/areas/community/members/visible-communities.service.ts';
import { readableJourneys } from '#server/areas/learner/enrolment.service.ts';
import type { Ctx } from '#server/ctx.ts';
import { notFound } from '#server/errors.ts';
import * as repository from './notification.repository.ts';
import { toNotification } from './notification.view.ts';
import { isSilenced } from './preference.policy.ts';
import { silencedEvents } from './preference.service.ts';
import { findUnreadEvents } from './unread-event.repository.ts';

/** Reads what the viewer may see now, as the owning areas decide. */
export async function sightOf(ctx: Ctx, viewer: UserViewer): Promise<repository.Sight> {
  const [communities, journeys] = await Promise.all([
    visibleCommunities(ctx.db, viewer),
    readableJourneys(ctx, viewer),
  ]);
  return {
    ...communities,
    journeys,
    open: openSlugs(viewer),
    scopes: openScopes(viewer),
    hasRoles: !viewer.lacksFactor && !viewer.isMinted,
  };
}

/** Counts up to MAX_UNREAD. Every page asks, so events without unread notifications are skipped. */
export async function countUnread(ctx: Ctx, viewer: UserViewer): Promise<{ unread: number }> {
  const unread = await findUnreadEvents(ctx.db, viewer.id);
  const events = unread.filter((preference) => !isSilenced(preference)).map(({ event }) => event);
  if (events.length === 0) return { unread: 0 };
  const reader = { viewer, locale: viewer.locale };
  const filter = { unread: true, events, atMost: MAX_UNREAD };
  return { unread: await repository.countVisible(ctx.db, reader, await sightOf(ctx, viewer), filter) };
}

export async function listNotifications(
  ctx: Ctx,
  reader: LocalViewer<UserViewer>,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ unread: number; notifications: Notification[]; more: boolean }> {
  const { viewer } = reader;
  const events = await repository.findEvents(ctx.db, viewer.id, await silencedEvents(ctx.db, viewer.id));
  if (events.length === 0) return { unread: 0, notifications: [], more: false };
  const sight = await sightOf(ctx, viewer);
  const page = { events, limit: limit + 1, offset };
  // The newest notifications almost always fill the page; only when too many of them are hidden now are more read.
  const limitTo = Math.min(2 * (offset + limit + 1), repository.MAX_CONSIDERED);
  let rows = await repository.findVisible(ctx.db, reader, sight, { ...page, limitTo });
  if (rows.length <= limit && limitTo < repository.MAX_CONSIDERED)
    rows = await repository.findVisible(ctx.db, reader, sight, page);
  return {
    ...(await countUnread(ctx, viewer)),
    notifications: rows.slice(0, limit).map(toNotification),
    more: rows.length > limit,
  };
}

/** Ids of the matching notifications that the viewer may see. */
async function findVisibleIds(ctx: Ctx, viewer: UserViewer, filter: repository.InboxFilter): Promise<string[]> {
  const reader = { viewer, locale: viewer.locale };
  const page = { ...filter, limit: repository.MAX_CONSIDERED, offset: 0 };
  return (await repository.findVisible(ctx.db, reader, await sightOf(ctx, viewer), page)).map(({ id }) => id);
}

export async function readOne(ctx: Ctx, viewer: UserViewer, id: string): Promise<{ unread: number }> {
  if (isNarrowed(openSlugs(viewer)) && (await findVisibleIds(ctx, viewer, { ids: [id] })).length === 0)
    throw notFound();
  if (!(await repository.markRead(ctx.db, { userId: viewer.id, id }))) throw notFound();
  ctx.news.tell(viewer.id);
  return await countUnread(ctx, viewer);
}

export async function readAll(ctx: Ctx, viewer: UserViewer): Promise<{ unread: number }> {
  // A narrowed session leaves the notifications it cannot see unread.
  const ids = isNarrowed(openSlugs(viewer)) ? await findVisibleIds(ctx, viewer, { unread: true }) : undefined;
  await repository.markAllRead(ctx.db, { userId: viewer.id, ids });
  ctx.news.tell(viewer.id);
  return await countUnread(ctx, viewer);
}
