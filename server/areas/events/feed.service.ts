import type { createCalendarFeed, readCalendarFeedState } from '@officium/contract/events';
import type { ReplyOf } from '@officium/contract/endpoint';
import { createTranslator } from '@officium/i18n/catalogue';
import { openScopes } from '#server/access/can.ts';
import { refuseNarrowedSession } from '#server/access/recent.ts';
import { hashToken, newToken } from '#server/access/sessions.ts';
import type { UserViewer } from '#server/access/viewer.ts';
import { findActiveViewer } from '#server/areas/auth/user.service.ts';
import type { Ctx } from '#server/ctx.ts';
import { notFound } from '#server/errors.ts';
import { toCalendar } from './calendar.view.ts';
import { findFeedSessions } from './event.repository.ts';
import type { CalendarFile } from './event.service.ts';
import * as repository from './feed.repository.ts';

export async function readState(ctx: Ctx, viewer: UserViewer): Promise<ReplyOf<typeof readCalendarFeedState>> {
  const feed = await repository.getFeed(ctx.db, viewer.id);
  return { createdAt: feed?.createdAt.toISOString() ?? null };
}

/** Replaces the address; only its hash is stored. A narrowed session may not make a secret that outlives it. */
export async function create(ctx: Ctx, viewer: UserViewer): Promise<ReplyOf<typeof createCalendarFeed>> {
  refuseNarrowedSession(viewer);
  const token = newToken();
  await repository.putFeed(ctx.db, viewer.id, hashToken(token));
  return { url: new URL(`/api/content/events/feed.ics?token=${token}`, ctx.config.publicUrl).href };
}

export async function remove(ctx: Ctx, viewer: UserViewer): Promise<void> {
  refuseNarrowedSession(viewer);
  await repository.deleteFeed(ctx.db, viewer.id);
}

/** The seats of the person whose secret address this is; 404 for any other token. */
export async function readFeed(ctx: Ctx, token: string): Promise<CalendarFile> {
  const owner = await repository.getFeedOwner(ctx.db, hashToken(token));
  const viewer = owner && (await findActiveViewer(ctx.db, owner.userId));
  if (!viewer) throw notFound();
  const sessions = await findFeedSessions(ctx.db, { userId: viewer.id, scopes: openScopes(viewer) });
  const { locale } = viewer;
  const name = createTranslator(locale).t('events.my_events');
  const calendar = toCalendar(sessions, { name, locale, publicUrl: ctx.config.publicUrl, withLink: () => true });
  return { calendar, name: 'events.ics' };
}
