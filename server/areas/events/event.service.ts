import type { Locale } from '@officium/contract/common';
import type { listEvents, listMySessions, readEvent } from '@officium/contract/events';
import type { InputOf, ReplyOf } from '@officium/contract/endpoint';
import { chainOf } from '@officium/i18n/locales';
import { openScopes } from '#server/access/can.ts';
import { ANONYMOUS, isActive, type UserViewer, type Viewer, viewerId } from '#server/access/viewer.ts';
import { readEditorialBodies } from '#server/areas/catalogue/editorial.service.ts';
import { seenPages } from '#server/areas/catalogue/entry.service.ts';
import { isCommunitySeen } from '#server/areas/community/members/access.service.ts';
import type { Ctx } from '#server/ctx.ts';
import { notFound } from '#server/errors.ts';
import { pickText } from '#server/text/localised.ts';
import { toCalendar } from './calendar.view.ts';
import { canSeeEvent, seesLink } from './event.policy.ts';
import * as repository from './event.repository.ts';
import type { EventRow } from './event.rows.ts';
import { accessOf, toEvent, toEventCard, toSession } from './event.view.ts';

export type Asking = { viewer: Viewer; locale: Locale };

/** Grants of accounts that are not active do not count. */
const holderOf = (viewer: Viewer) => viewerId(isActive(viewer) ? viewer : ANONYMOUS);

/** An event that the viewer may see, by slug or by one of its sessions; 404 for any other. */
export async function openEvent(
  ctx: Ctx,
  viewer: Viewer,
  named: { slug: string } | { session: string },
): Promise<EventRow> {
  const row = await repository.getEvent(ctx.db, { userId: holderOf(viewer), ...named });
  if (!row || !canSeeEvent(viewer, accessOf(row))) throw notFound();
  return row;
}

/** Whether a community has events and the viewer may see it: the tie to a hidden one would reveal that it exists. */
async function hasSeenEvents(ctx: Ctx, viewer: Viewer, slug: string): Promise<boolean> {
  const [hasEvents, isSeen] = await Promise.all([
    repository.hasEvents(ctx.db, slug),
    isCommunitySeen(ctx.db, viewer, slug),
  ]);
  return hasEvents && isSeen;
}

export async function listSeen(
  ctx: Ctx,
  { viewer, locale }: Asking,
  { when, community, limit, offset }: InputOf<typeof listEvents>['query'],
): Promise<ReplyOf<typeof listEvents>> {
  if (community !== undefined && !(await hasSeenEvents(ctx, viewer, community))) return { events: [], total: 0 };
  const page = { isPast: when === 'past', community, limit, offset };
  const asked = { userId: holderOf(viewer), scopes: openScopes(viewer), ...page };
  const { rows, total } = await repository.findEvents(ctx.db, asked);
  return { events: rows.map((row) => toEventCard(row, viewer, locale)), total };
}

export async function readSeen(ctx: Ctx, { viewer, locale }: Asking, slug: string): Promise<ReplyOf<typeof readEvent>> {
  const row = await openEvent(ctx, viewer, { slug });
  const slugs = [row.community?.slug, row.course?.slug].flatMap((each) => each ?? []);
  const [sessions, bodies, seen] = await Promise.all([
    repository.findSessions(ctx.db, row.id, holderOf(viewer)),
    readEditorialBodies(ctx, { ids: [row.id], chain: chainOf(locale) }),
    slugs.length > 0 ? seenPages(ctx.db, viewer, slugs) : new Set<string>(),
  ]);
  return toEvent(row, { sessions, body: bodies.get(row.id), seen }, viewer, locale);
}

/** An iCalendar file and its name. */
export type CalendarFile = { calendar: string; name: string };

export async function makeCalendar(ctx: Ctx, { viewer, locale }: Asking, slug: string): Promise<CalendarFile> {
  const row = await openEvent(ctx, viewer, { slug });
  const sessions = await repository.findSessions(ctx.db, row.id, holderOf(viewer));
  const own = new Map(sessions.map(({ id, status }) => [id, status]));
  const calendar = toCalendar(
    sessions.map((session) => ({ ...session, slug: row.slug, title: row.title, summary: row.summary })),
    {
      name: pickText(row.title, locale).text,
      locale,
      publicUrl: ctx.config.publicUrl,
      withLink: ({ id }) => seesLink(viewer, own.get(id) ?? null),
    },
  );
  return { calendar, name: `${row.slug}.ics` };
}

export async function listOwn(
  ctx: Ctx,
  viewer: UserViewer,
  locale: Locale,
  { when, limit, offset }: InputOf<typeof listMySessions>['query'],
): Promise<ReplyOf<typeof listMySessions>> {
  const asked = { userId: viewer.id, scopes: openScopes(viewer), isPast: when === 'past', limit, offset };
  const { rows, total } = await repository.findOwnSessions(ctx.db, asked);
  return {
    sessions: rows.map((row) => {
      const title = pickText(row.title, locale);
      const event = { slug: row.slug, title: title.text, shownLocale: title.locale };
      return { event, session: toSession(row, viewer, false) };
    }),
    total,
  };
}
