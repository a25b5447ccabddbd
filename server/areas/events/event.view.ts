import type { Locale } from '@officium/contract/common';
import type { Event, EventCard, EventSession } from '@officium/contract/events';
import { isAdministrator, type Viewer } from '#server/access/viewer.ts';
import { toCover } from '#server/areas/catalogue/catalogue.view.ts';
import type { EditorialBodyRow } from '#server/areas/catalogue/editorial.repository.ts';
import { pickText } from '#server/text/localised.ts';
import { joiningOf, seesLink } from './event.policy.ts';
import type { ListedEvent } from './event.repository.ts';
import type { EventRow, EventSessionRow } from './event.rows.ts';

export const accessOf = (row: EventRow) => ({
  canView: row.can_view,
  canJoin: row.can_join,
  isGranted: row.is_granted,
});

/** `mayRegister`: the viewer may take seats of the event. */
export function toSession(row: EventSessionRow, viewer: Viewer, mayRegister: boolean): EventSession {
  const { status } = row;
  const isOpen = !row.is_over && !row.is_cancelled;
  return {
    id: row.id,
    startsAt: row.starts_at.toISOString(),
    endsAt: row.ends_at.toISOString(),
    timeZone: row.time_zone,
    place: row.place,
    isOnline: row.link !== null,
    link: seesLink(viewer, status) ? row.link : null,
    capacity: row.capacity,
    taken: row.taken,
    waiting: row.waiting,
    recording: isAdministrator(viewer) || (row.is_over && !row.is_cancelled) ? row.recording : null,
    isCancelled: row.is_cancelled,
    mine: status && { status, waitingPlace: row.waiting_place },
    can: { register: mayRegister && isOpen && status === null, leave: status !== null && !row.is_over },
  };
}

function headOf(row: EventRow, locale: Locale) {
  const title = pickText(row.title, locale);
  return {
    id: row.id,
    slug: row.slug,
    title: title.text,
    summary: pickText(row.summary, title.locale).text,
    shownLocale: title.locale,
    cover: toCover(row, locale),
  };
}

export function toEventCard(row: ListedEvent, viewer: Viewer, locale: Locale): EventCard {
  const mayRegister = joiningOf(viewer, accessOf(row)) === 'yes';
  return { ...headOf(row, locale), session: toSession(row.session, viewer, mayRegister), sessions: row.sessions };
}

type Around = {
  sessions: EventSessionRow[];
  body: EditorialBodyRow | undefined;
  /** Paths of the community and the course that the viewer may see. */
  seen: ReadonlySet<string>;
};

export function toEvent(row: EventRow, { sessions, body, seen }: Around, viewer: Viewer, locale: Locale): Event {
  const joining = joiningOf(viewer, accessOf(row));
  const about = (start: string, named: EventRow['course']) =>
    named && seen.has(`${start}/${named.slug}`)
      ? { slug: named.slug, title: pickText(named.title, locale).text }
      : null;
  return {
    ...headOf(row, locale),
    locales: row.locales,
    humanTranslation: row.human_translation,
    html: body?.html ?? null,
    bodyLocale: body?.locale ?? null,
    community: about('communities', row.community),
    course: about('courses', row.course),
    sessions: sessions.map((session) => toSession(session, viewer, joining === 'yes')),
    joining,
  };
}
