import { z } from 'zod';
import { HttpUrl, limitParam, LocaleCode, offsetParam, Slug, SlugParam, text, Timestamp, Uuid } from './common.ts';
import { endpoint } from './endpoint.ts';
import { isTimeZone } from './notifications.ts';

/** Events with a date or a recurrence, the seats people take in their sessions, and calendars. */

/** Errors of events, with their status. */
export const eventErrors = {
  'events.closed': { status: 409, message: 'This session has ended or was cancelled.' },
} as const;

/** Sessions that one recurrence makes at most. */
export const MAX_SESSIONS = 200;

// ------------------------------------------------------------------------------------------------- as they are written

const LOCAL = /^(?!0000)\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d$/;

/** A date and time of day in the time zone of the event. */
export const LocalTime = z
  .string()
  .regex(LOCAL, 'Must be a date and time such as 2030-05-14T09:30')
  .refine((value) => {
    const at = new Date(`${value}Z`);
    return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(value);
  }, 'Must be a day that exists');
export const TimeZone = z.string().max(64).refine(isTimeZone, 'Must be a time zone such as Europe/Berlin');
const Place = text({ min: 1, max: 300, name: 'Place' });
const Capacity = z.int().min(1).max(100_000);

/** When and where an event takes place. `starts` and `ends` are those of its first session. */
export const schedule = {
  starts: LocalTime.nullable().default(null).describe('Of the first session, in `timeZone`; required to publish'),
  ends: LocalTime.nullable().default(null).describe('Of the first session; required to publish'),
  timeZone: TimeZone.default('UTC'),
  recurrence: text({ min: 1, max: 500, name: 'Recurrence' })
    .nullable()
    .default(null)
    .describe(`RFC 5545 rule with COUNT or UNTIL and at most ${MAX_SESSIONS} sessions; null: one session`),
  place: Place.nullable().default(null),
  link: HttpUrl.nullable().default(null).describe('Where people join; shown only to those with a seat'),
  capacity: Capacity.nullable().default(null).describe('Seats of each session; null: unlimited'),
  recording: HttpUrl.nullable().default(null).describe('Shown after the end of a session without its own'),
  community: Slug.nullable().default(null).describe('The community it belongs to'),
  course: Slug.nullable().default(null).describe('The course it belongs to'),
};

// -------------------------------------------------------------------------------------------------- as they are shown

export const REGISTRATION_STATUSES = ['seat', 'waiting'] as const;

export const EventSession = z
  .object({
    id: Uuid,
    startsAt: Timestamp,
    endsAt: Timestamp,
    timeZone: z.string(),
    place: z.string().nullable(),
    isOnline: z.boolean().describe('It has a joining link'),
    link: z.string().nullable().describe('Only for callers with a seat, and administrators'),
    capacity: z.int().nullable(),
    taken: z.int().describe('Seats taken'),
    waiting: z.int().describe('People on the waiting list'),
    recording: z.string().nullable().describe('After the end; for administrators always'),
    isCancelled: z.boolean(),
    mine: z
      .object({
        status: z.enum(REGISTRATION_STATUSES),
        waitingPlace: z.int().nullable().describe('Place on the waiting list, from 1'),
      })
      .nullable()
      .describe("The caller's registration"),
    can: z.object({ register: z.boolean(), leave: z.boolean() }),
  })
  .meta({ id: 'EventSession' });
export type EventSession = z.output<typeof EventSession>;

const head = {
  id: z.string(),
  slug: z.string(),
  title: z.string(),
  summary: z.string(),
  shownLocale: LocaleCode.describe('The language of title and summary'),
  cover: z.object({ url: z.string(), alt: z.string() }).nullable(),
};
export const EventCard = z
  .object({
    ...head,
    session: EventSession.describe('The next session, else the last one'),
    sessions: z.int().describe('Number of sessions that were not cancelled'),
  })
  .meta({ id: 'EventCard' });
export type EventCard = z.output<typeof EventCard>;

const About = z.object({ slug: z.string(), title: z.string() }).nullable();
export const Event = z
  .object({
    ...head,
    locales: z.array(LocaleCode).describe('Languages it can be read in'),
    humanTranslation: z.boolean(),
    html: z.string().nullable().describe('Safe HTML'),
    bodyLocale: LocaleCode.nullable().describe('The language of `html`'),
    community: About.describe('null: none, or hidden from the caller'),
    course: About.describe('null: none, or hidden from the caller'),
    sessions: z.array(EventSession).describe('In order'),
    joining: z
      .enum(['yes', 'sign-in', 'no'])
      .describe('Whether the caller may register; sign-in: they might once signed in'),
  })
  .meta({ id: 'Event' });
export type Event = z.output<typeof Event>;

const locale = LocaleCode.optional();
const common = { service: 'content', extension: true } as const;
const open = { ...common, auth: 'none' } as const;
const own = { ...common, auth: 'user' } as const;
const office = { ...common, auth: 'admin' } as const;
const session = z.object({ id: Uuid });

export const listEvents = endpoint({
  ...open,
  name: 'listEvents',
  method: 'GET',
  path: '/events',
  summary: 'List upcoming or past events',
  description:
    'Contains only what the caller may see. Upcoming events have a session that has not ended and are sorted by its start; past events are sorted by their last session, newest first. With `community`, only its events; none when it is hidden from the caller.',
  query: z.object({
    when: z.enum(['upcoming', 'past']).default('upcoming'),
    community: Slug.optional(),
    limit: limitParam(20),
    offset: offsetParam(),
    locale,
  }),
  replies: { 200: z.object({ events: z.array(EventCard), total: z.int() }) },
});

export const readEvent = endpoint({
  ...open,
  name: 'readEvent',
  method: 'GET',
  path: '/events/by-slug/{slug}',
  summary: 'Read an event with its sessions',
  params: z.object({ slug: SlugParam }),
  query: z.object({ locale }),
  replies: { 200: Event },
  errors: ['request.not_found'],
});

export const downloadEventCalendar = endpoint({
  ...open,
  name: 'downloadEventCalendar',
  method: 'GET',
  path: '/events/by-slug/{slug}/calendar.ics',
  summary: 'Download the sessions of an event as a calendar file',
  description: 'iCalendar (RFC 5545). The joining link is included for callers with a seat.',
  params: z.object({ slug: SlugParam }),
  query: z.object({ locale }),
  download: 'text/calendar',
  replies: { 200: z.unknown() },
  errors: ['request.not_found'],
});

const Mine = z.object({
  status: z.enum(REGISTRATION_STATUSES),
  waitingPlace: z.int().nullable().describe('Place on the waiting list, from 1'),
});

export const registerForSession = endpoint({
  ...own,
  name: 'registerForSession',
  method: 'PUT',
  path: '/event-sessions/{id}/registration',
  summary: 'Take a seat in a session, or a place on its waiting list',
  description:
    'Needs the permission to join the event (403). Gives a seat while one is free, else the last place on the waiting list. Repeating it changes nothing. When a seat becomes free, the first person on the waiting list gets it and is notified.',
  params: session,
  replies: { 200: Mine },
  errors: ['request.not_found', 'events.closed'],
});

export const leaveSession = endpoint({
  ...own,
  name: 'leaveSession',
  method: 'DELETE',
  path: '/event-sessions/{id}/registration',
  summary: 'Give up a seat or a place on the waiting list',
  params: session,
  replies: { 204: null },
  errors: ['request.not_found', 'events.closed'],
});

export const listMySessions = endpoint({
  ...own,
  name: 'listMySessions',
  method: 'GET',
  path: '/events/mine',
  summary: 'List the sessions I registered for',
  description: 'Leaves out sessions of events that the caller may not see any more.',
  query: z.object({
    when: z.enum(['upcoming', 'past']).default('upcoming'),
    limit: limitParam(20),
    offset: offsetParam(),
    locale,
  }),
  replies: {
    200: z.object({
      sessions: z.array(
        z.object({
          event: z.object({ slug: z.string(), title: z.string(), shownLocale: LocaleCode }),
          session: EventSession,
        }),
      ),
      total: z.int(),
    }),
  },
});

// ------------------------------------------------------------------------------------------------------ calendar feed

const FEED = '/events/feed';
const Feed = z.object({ createdAt: Timestamp.nullable().describe('null: there is no address') });

export const readCalendarFeedState = endpoint({
  ...own,
  name: 'readCalendarFeedState',
  method: 'GET',
  path: FEED,
  summary: 'Read whether I have a calendar address',
  replies: { 200: Feed },
});

export const createCalendarFeed = endpoint({
  ...own,
  name: 'createCalendarFeed',
  method: 'POST',
  path: FEED,
  summary: 'Create a secret calendar address of my seats',
  description:
    'Shown once and stored as a hash. A new address replaces the former one, which stops working. Not for sessions narrowed by a token (403).',
  replies: { 201: z.object({ url: z.string() }) },
});

export const deleteCalendarFeed = endpoint({
  ...own,
  name: 'deleteCalendarFeed',
  method: 'DELETE',
  path: FEED,
  summary: 'Delete my calendar address',
  description: 'Not for sessions narrowed by a token (403).',
  replies: { 204: null },
});

export const downloadCalendarFeed = endpoint({
  ...open,
  name: 'downloadCalendarFeed',
  method: 'GET',
  path: '/events/feed.ics',
  summary: 'Read the calendar of one person with its secret address',
  description:
    'iCalendar (RFC 5545) of upcoming sessions, and past ones of the last 90 days, in which the person has a seat and whose event they may see.',
  query: z.object({ token: z.string().min(1).max(200) }),
  download: 'text/calendar',
  replies: { 200: z.unknown() },
  errors: ['request.not_found'],
});

// ------------------------------------------------------------------------------------------------------ administration

export const listSessionRegistrations = endpoint({
  ...office,
  name: 'listSessionRegistrations',
  method: 'GET',
  path: '/event-sessions/{id}/registrations',
  summary: 'List the registrations of a session',
  description: 'Seats first, then the waiting list, each in the order of registration. `total` counts both.',
  params: session,
  query: z.object({ limit: limitParam(50), offset: offsetParam() }),
  replies: {
    200: z.object({
      registrations: z.array(
        z.object({
          userId: Uuid,
          name: z.string(),
          email: z.string(),
          status: z.enum(REGISTRATION_STATUSES),
          registeredAt: Timestamp,
          attendedAt: Timestamp.nullable(),
        }),
      ),
      total: z.int(),
    }),
  },
  errors: ['request.not_found'],
});

export const setAttendance = endpoint({
  ...office,
  name: 'setAttendance',
  method: 'PUT',
  path: '/event-sessions/{id}/registrations/{userId}/attendance',
  summary: 'Record whether a person attended a session',
  params: session.extend({ userId: Uuid }),
  body: z.strictObject({ attended: z.boolean() }),
  replies: { 204: null },
  errors: ['request.not_found'],
});

export const updateSession = endpoint({
  ...office,
  name: 'updateSession',
  method: 'PATCH',
  path: '/event-sessions/{id}',
  summary: 'Change or cancel one session',
  description:
    'Omitted fields stay unchanged; null returns to what the event says. People with a registration are notified of a new place, link or cancellation. More seats go to the waiting list at once. Moving a session is done in the schedule of the event.',
  params: session,
  body: z.strictObject({
    place: Place.nullable().optional(),
    link: HttpUrl.nullable().optional(),
    capacity: Capacity.nullable().optional(),
    recording: HttpUrl.nullable().optional(),
    cancelled: z.boolean().optional(),
  }),
  replies: { 204: null },
  errors: ['request.not_found'],
});
