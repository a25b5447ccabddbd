import type { Locale, LocalizedText } from '@officium/contract/common';
import ical, { ICalCalendarMethod, ICalEventStatus } from 'ical-generator';
import { pagePath } from '#server/page-address.ts';
import { pickText } from '#server/text/localised.ts';
import type { EventSessionRow } from './event.rows.ts';

export type CalendarSession = Omit<EventSessionRow, 'status' | 'waiting_place' | 'taken' | 'waiting'> & {
  slug: string;
  title: LocalizedText;
  summary: LocalizedText;
};
type Options = { name: string; locale: Locale; publicUrl: string; withLink: (session: CalendarSession) => boolean };

/**
 * Sessions as iCalendar (RFC 5545). Times are in UTC, which every calendar converts; the UID of a session never changes,
 * and its SEQUENCE grows with each change.
 */
export function toCalendar(
  sessions: readonly CalendarSession[],
  { name, locale, publicUrl, withLink }: Options,
): string {
  const calendar = ical({
    name,
    prodId: { company: 'Officium', product: 'events' },
    method: ICalCalendarMethod.PUBLISH,
  });
  const { hostname } = new URL(publicUrl);
  for (const session of sessions) {
    const link = withLink(session) ? session.link : null;
    const place = session.place ?? link;
    calendar.createEvent({
      id: `${session.id}@${hostname}`,
      sequence: session.sequence,
      stamp: session.changed_at,
      lastModified: session.changed_at,
      start: session.starts_at,
      end: session.ends_at,
      summary: pickText(session.title, locale).text,
      description: [pickText(session.summary, locale).text, link].filter(Boolean).join('\n\n') || null,
      location: place,
      url: new URL(pagePath(['event', session.slug]), publicUrl).href,
      status: session.is_cancelled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    });
  }
  return `${calendar.toString()}\r\n`;
}
