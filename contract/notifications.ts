import { z } from 'zod';
import { limitParam, LocaleCode, offsetParam, Slug, Timestamp, Uuid } from './common.ts';
import { endpoint } from './endpoint.ts';

/** Reasons this service refuses a request, with their status. */
export const notificationErrors = {
  'notifications.wrong_link': { status: 400, message: 'This link is not valid.' },
} as const;

/** How soon a mail follows: within minutes, in the digest of a day or of a week, or not at all. */
export const MAIL_PACES = ['at-once', 'daily', 'weekly', 'never'] as const;
export const IN_APP_PACES = ['at-once', 'never'] as const;
export type MailPace = (typeof MAIL_PACES)[number];
export type InAppPace = (typeof IN_APP_PACES)[number];

/** What people are told of, and how as long as they choose nothing else: by mail at once only what waits for them. */
export const NOTIFICATION_DEFAULTS = {
  reply: { inApp: 'at-once', mail: 'daily' },
  mention: { inApp: 'at-once', mail: 'at-once' },
  connection_request: { inApp: 'at-once', mail: 'daily' },
  connection_accepted: { inApp: 'at-once', mail: 'weekly' },
  community_invitation: { inApp: 'at-once', mail: 'at-once' },
  community_membership: { inApp: 'at-once', mail: 'at-once' },
  cohort_membership: { inApp: 'at-once', mail: 'at-once' },
  poll_outcome: { inApp: 'at-once', mail: 'daily' },
  certificate: { inApp: 'at-once', mail: 'daily' },
  due_date: { inApp: 'at-once', mail: 'at-once' },
  moderation: { inApp: 'at-once', mail: 'at-once' },
  report_outcome: { inApp: 'at-once', mail: 'never' },
} as const satisfies Record<string, { inApp: InAppPace; mail: MailPace }>;
export type NotificationEvent = keyof typeof NOTIFICATION_DEFAULTS;
// Object.keys knows no names.
export const NOTIFICATION_EVENTS = Object.keys(NOTIFICATION_DEFAULTS) as [NotificationEvent, ...NotificationEvent[]];

/** The hour of the digest as long as nobody chooses another, in UTC. */
export const DEFAULT_DIGEST_HOUR = 8;
/** Unread ones are counted up to here. */
export const MAX_UNREAD = 100;
export const NOTIFICATION_DAYS = 90;

const Event = z.enum(NOTIFICATION_EVENTS);

export const Notification = z
  .object({
    id: Uuid,
    event: Event,
    actor: z
      .object({ id: Uuid, name: z.string(), thumbnail: z.string().nullable() })
      .nullable()
      .describe('Who did it last; null when nobody did, or somebody whose account is deleted'),
    count: z.int().describe('How many people did it since this was unread; 1 where nobody can be counted'),
    title: z.string().nullable().describe('Of what it is about, in the language asked for where there is one'),
    place: z.string().nullable().describe('The community or course it is in'),
    path: z.string().describe('Of the page to go to'),
    dueAt: Timestamp.nullable().describe('Of a due date: when it is; of a day, its end in UTC'),
    due: z
      .enum(['end', 'due', 'late'])
      .nullable()
      .describe('Of a due date: a place ends, or a cohort’s day for a course is to come or has passed'),
    createdAt: Timestamp.describe('When it last happened, to the minute'),
    isRead: z.boolean(),
  })
  .meta({ id: 'Notification' });
export type Notification = z.output<typeof Notification>;

const Unread = z.object({ unread: z.int().describe(`Unread ones, at most ${MAX_UNREAD}`) });

export const listNotifications = endpoint({
  name: 'listNotifications',
  service: 'notifications',
  method: 'GET',
  path: '/inbox',
  auth: 'user',
  extension: true,
  summary: 'what one is told of, newest first',
  description:
    'Only what the reader may see now: what was deleted, taken back or hidden since is neither listed nor counted, nor are events they turned off. Replies to the same thing are one entry until it is read.',
  query: z.object({ limit: limitParam(20), offset: offsetParam(), locale: LocaleCode.optional() }),
  replies: { 200: Unread.extend({ notifications: z.array(Notification), more: z.boolean() }) },
});

export const countNotifications = endpoint({
  name: 'countNotifications',
  service: 'notifications',
  method: 'GET',
  path: '/inbox/count',
  auth: 'user',
  extension: true,
  summary: 'how many are unread',
  replies: { 200: Unread },
});

export const readNotification = endpoint({
  name: 'readNotification',
  service: 'notifications',
  method: 'POST',
  path: '/inbox/{id}/read',
  auth: 'user',
  extension: true,
  summary: 'mark one as read',
  params: z.object({ id: Uuid }),
  replies: { 200: Unread },
});

export const readAllNotifications = endpoint({
  name: 'readAllNotifications',
  service: 'notifications',
  method: 'POST',
  path: '/inbox/read',
  auth: 'user',
  extension: true,
  summary: 'mark all as read',
  replies: { 200: Unread },
});

const Preferences = z.object({
  events: z.array(z.object({ event: Event, inApp: z.enum(IN_APP_PACES), mail: z.enum(MAIL_PACES) })),
  digestHour: z.int().describe('When digests are sent, in the time zone'),
  timeZone: z.string(),
});

export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

export const readNotificationPreferences = endpoint({
  name: 'readNotificationPreferences',
  service: 'notifications',
  method: 'GET',
  path: '/preferences',
  auth: 'user',
  extension: true,
  summary: 'what one is told of, and how',
  replies: { 200: Preferences },
});

export const updateNotificationPreferences = endpoint({
  name: 'updateNotificationPreferences',
  service: 'notifications',
  method: 'PATCH',
  path: '/preferences',
  auth: 'user',
  extension: true,
  summary: 'choose what one is told of, and how',
  description: 'What is left out stays as it is. Digests are sent once a day, those of a week on Mondays.',
  body: z.strictObject({
    events: z
      .array(
        z.strictObject({ event: Event, inApp: z.enum(IN_APP_PACES).optional(), mail: z.enum(MAIL_PACES).optional() }),
      )
      .max(NOTIFICATION_EVENTS.length)
      .optional(),
    digestHour: z.int().min(0).max(23).optional(),
    timeZone: z.string().max(64).refine(isTimeZone, 'Must be a time zone such as Europe/Berlin').optional(),
  }),
  replies: { 200: Preferences },
});

export const streamNotifications = endpoint({
  name: 'streamNotifications',
  service: 'notifications',
  method: 'GET',
  path: '/stream',
  auth: 'none',
  extension: true,
  summary: 'be told of what is new as it happens',
  description:
    'Server-sent events. To people who are signed in: `unread` with `{"unread": n}`, at once and whenever it changes. With `community`, to whoever may read it: `posts` with `{"count": n, "since": id}` when there are posts by others newer than `since` (or the Last-Event-ID), the newest when left out. A comment every 20 seconds keeps the connection. It ends when the session ends or the community is closed to the reader; at most 6 a person and 30 an address without a session.',
  query: z.object({ community: Slug.optional(), since: Uuid.optional() }),
  download: 'text/event-stream',
  replies: { 200: z.unknown() },
  errors: ['auth.required', 'auth.forbidden', 'auth.not_proven', 'auth.inactive', 'request.not_found'],
});

const Token = z.string().min(1).max(200);

export const openUnsubscribe = endpoint({
  name: 'openUnsubscribe',
  service: 'notifications',
  method: 'GET',
  path: '/unsubscribe',
  auth: 'none',
  extension: true,
  summary: 'go on to the page that ends mails of one kind; ends none itself',
  query: z.object({ token: Token }),
  replies: { 302: null },
});

export const unsubscribe = endpoint({
  name: 'unsubscribe',
  service: 'notifications',
  method: 'POST',
  path: '/unsubscribe',
  auth: 'none',
  extension: true,
  summary: 'end mails of one kind by the link of a mail',
  description:
    'One click (RFC 8058): without a session, and a form is taken as well as nothing. Ends the mails about the event of the token, or all digests. Doing so again changes nothing.',
  query: z.object({ token: Token }),
  replies: { 200: z.object({ event: z.union([Event, z.literal('digest')]) }) },
  errors: ['notifications.wrong_link'],
});
