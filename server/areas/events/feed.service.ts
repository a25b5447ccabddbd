import type { createCalendarFeed, readCalendarFeedState } from '@officium/contract/events';
import type { ReplyOf } from '@officium/contract/endpoint';
import { createTranslator } from '@officium/i18n/catalogue';
import { hashToken, newToken } from '#server/access/sessions.ts';
import type { UserViewer } from '#server/access/viewer.ts';
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

/** Replaces the address; only its hash is stored. */
export async function create(ctx: Ctx, viewer: UserViewer): Promise<ReplyOf<typeof createCalendarFeed>> {
  const token = newToken();
  await repository.putFeed(ctx.db, viewer.id, hashToken(token));
  return { url: new URL(`/api/content/events/feed.ics?token=${token}`, ctx.config.publicUrl).href };
}

export async function remove(ctx: Ctx, viewer: UserViewer): Promise<void> {
  await repository.deleteFeed(ctx.db, viewer.id);
}

/** The seats of the person whose secret address this is; 404 for any other token. */
export async function readFeed(ctx: Ctx, token: string): Promise<CalendarFile> {
  const owner = await repository.getFeedOwner(ctx.db, hashToken(token));
  if (!owner) throw notFound();
  const sessions = await findFeedSessions(ctx.db, owner.id);
  const { locale } = owner;
  const name = createTranslator(locale).t('events.my_events');
  const calendar = toCalendar(sessions, { name, locale, publicUrl: ctx.config.publicUrl, withLink: () => true });
  return { calendar, name: 'events.ics' };
}
