import { z } from 'zod';
import { limitParam, LocaleCode, offsetParam, Slug, Timestamp, Uuid } from './common.ts';
import { endpoint } from './endpoint.ts';

/** Errors of this service, with their status. */
export const notificationErrors = {
  'notifications.wrong_link': { status: 400, message: 'This link is not valid.' },
} as const;

/** The pace of mails: within minutes, in a daily or weekly digest, or never. */
export const MAIL_PACES = ['at-once', 'daily', 'weekly', 'never'] as const;
export const IN_APP_PACES = ['at-once', 'never'] as const;
/** The pace of notifications on devices: within a minute, or never. */
export const PUSH_PACES = ['at-once', 'never'] as const;
export type MailPace = (typeof MAIL_PACES)[number];
export type InAppPace = (typeof IN_APP_PACES)[number];
export type PushPace = (typeof PUSH_PACES)[number];

/**
 * Notification events with their default delivery. Only events that await an action are mailed at once; devices also
 * show what people address to somebody.
 */
export const NOTIFICATION_DEFAULTS = {
  reply: { inApp: 'at-once', mail: 'daily', push: 'at-once' },
  mention: { inApp: 'at-once', mail: 'at-once', push: 'at-once' },
  community_post: { inApp: 'at-once', mail: 'daily', push: 'never' },
  thread_reply: { inApp: 'at-once', mail: 'daily', push: 'never' },
  person_post: { inApp: 'at-once', mail: 'daily', push: 'never' },
  new_article: { inApp: 'at-once', mail: 'weekly', push: 'never' },
  connection_request: { inApp: 'at-once', mail: 'daily', push: 'at-once' },
  connection_accepted: { inApp: 'at-once', mail: 'weekly', push: 'never' },
  community_invitation: { inApp: 'at-once', mail: 'at-once', push: 'at-once' },
  community_membership: { inApp: 'at-once', mail: 'at-once', push: 'at-once' },
  cohort_membership: { inApp: 'at-once', mail: 'at-once', push: 'at-once' },
  poll_outcome: { inApp: 'at-once', mail: 'daily', push: 'never' },
  certificate: { inApp: 'at-once', mail: 'daily', push: 'never' },
  certificate_expiry: { inApp: 'at-once', mail: 'at-once', push: 'at-once' },
  evaluation: { inApp: 'at-once', mail: 'daily', push: 'never' },
  due_date: { inApp: 'at-once', mail: 'at-once', push: 'at-once' },
  reminder: { inApp: 'at-once', mail: 'at-once', push: 'at-once' },
  event_seat: { inApp: 'at-once', mail: 'at-once', push: 'at-once' },
  event_promoted: { inApp: 'at-once', mail: 'at-once', push: 'at-once' },
  event_changed: { inApp: 'at-once', mail: 'at-once', push: 'at-once' },
  event_cancelled: { inApp: 'at-once', mail: 'at-once', push: 'at-once' },
  event_reminder: { inApp: 'at-once', mail: 'at-once', push: 'at-once' },
  moderation: { inApp: 'at-once', mail: 'at-once', push: 'at-once' },
  report_outcome: { inApp: 'at-once', mail: 'never', push: 'never' },
  role_change: { inApp: 'at-once', mail: 'at-once', push: 'at-once' },
  administrator: { inApp: 'at-once', mail: 'at-once', push: 'at-once' },
  registration_waiting: { inApp: 'at-once', mail: 'daily', push: 'at-once' },
  registration_decided: { inApp: 'at-once', mail: 'at-once', push: 'at-once' },
  join_request: { inApp: 'at-once', mail: 'daily', push: 'at-once' },
  report_waiting: { inApp: 'at-once', mail: 'daily', push: 'at-once' },
  assignment: { inApp: 'at-once', mail: 'at-once', push: 'at-once' },
  enrolment: { inApp: 'at-once', mail: 'at-once', push: 'at-once' },
  marking_waiting: { inApp: 'at-once', mail: 'daily', push: 'at-once' },
  attempt_marked: { inApp: 'at-once', mail: 'at-once', push: 'at-once' },
  appeal_waiting: { inApp: 'at-once', mail: 'daily', push: 'at-once' },
} as const satisfies Record<string, { inApp: InAppPace; mail: MailPace; push: PushPace }>;
export type NotificationEvent = keyof typeof NOTIFICATION_DEFAULTS;
// Object.keys returns plain strings.
export const NOTIFICATION_EVENTS = Object.keys(NOTIFICATION_DEFAULTS) as [NotificationEvent, ...NotificationEvent[]];

/** The default hour of digests, in UTC. */
export const DEFAULT_DIGEST_HOUR = 8;
/** Unread notifications are counted up to this number. */
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
      .describe('The last user who caused it; null for none or for a deleted account'),
    count: z
      .int()
      .describe(
        'Number of people who caused it since it was unread; 1 for events without people. For what waits for a decision: the number that waits now. For new posts and replies in what the caller watches: their number, at most 100',
      ),
    title: z.string().nullable().describe('Title of the subject, in the requested language if available'),
    place: z.string().nullable().describe('Title of the community or course'),
    path: z.string().describe('Path of the page to open'),
    dueAt: Timestamp.nullable().describe(
      'For due dates: the time; for a date, its end in UTC. For events: the start of the session',
    ),
    due: z
      .enum(['end', 'due', 'late'])
      .nullable()
      .describe(
        "For due dates: `end`: an enrolment ends · `due`: a cohort's due date is approaching · `late`: it has passed",
      ),
    words: z.string().nullable().describe('For reminders: what the sender wrote, as plain text'),
    createdAt: Timestamp.describe('Time of the last event, to the minute'),
    isRead: z.boolean(),
  })
  .meta({ id: 'Notification' });
export type Notification = z.output<typeof Notification>;

const Unread = z.object({ unread: z.int().describe(`Number of unread notifications, at most ${MAX_UNREAD}`) });

export const listNotifications = endpoint({
  name: 'listNotifications',
  service: 'notifications',
  method: 'GET',
  path: '/inbox',
  auth: 'user',
  extension: true,
  summary: 'List my notifications, newest first',
  description:
    'Contains only what the caller may see now: deleted, withdrawn or hidden subjects and disabled events are neither listed nor counted. Replies to the same subject are one notification until it is read.',
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
  summary: 'Count my unread notifications',
  replies: { 200: Unread },
});

export const readNotification = endpoint({
  name: 'readNotification',
  service: 'notifications',
  method: 'POST',
  path: '/inbox/{id}/read',
  auth: 'user',
  extension: true,
  summary: 'Mark a notification as read',
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
  summary: 'Mark all notifications as read',
  replies: { 200: Unread },
});

const Preferences = z.object({
  events: z.array(
    z.object({ event: Event, inApp: z.enum(IN_APP_PACES), mail: z.enum(MAIL_PACES), push: z.enum(PUSH_PACES) }),
  ),
  digestHour: z.int().describe('Hour of digests, in `timeZone`'),
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
  summary: 'Read my notification preferences',
  replies: { 200: Preferences },
});

export const updateNotificationPreferences = endpoint({
  name: 'updateNotificationPreferences',
  service: 'notifications',
  method: 'PATCH',
  path: '/preferences',
  auth: 'user',
  extension: true,
  summary: 'Update my notification preferences',
  description: 'Omitted fields stay unchanged. Digests are sent once a day; weekly ones on Mondays.',
  body: z.strictObject({
    events: z
      .array(
        z.strictObject({
          event: Event,
          inApp: z.enum(IN_APP_PACES).optional(),
          mail: z.enum(MAIL_PACES).optional(),
          push: z.enum(PUSH_PACES).optional(),
        }),
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
  summary: 'Stream notifications and new posts',
  description:
    'Server-sent events. Signed-in users get `unread` with `{"unread": n}` at once and after every change. With `community`, everyone who may read it gets `posts` with `{"count": n, "since": id}` when others have posted after `since` (or the Last-Event-ID; by default the newest post). A comment every 20 seconds keeps the connection alive. The stream ends when the session ends or the caller loses access to the community. At most 6 streams per user and 30 per address without a session.',
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
  summary: 'Redirect to the unsubscribe page without unsubscribing',
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
  summary: 'Unsubscribe from one kind of mail with the token of a mail',
  description:
    'One-click (RFC 8058): needs no session and accepts a form body or none. Ends mails about the event of the token, or all digests. Repeating it changes nothing.',
  query: z.object({ token: Token }),
  replies: { 200: z.object({ event: z.union([Event, z.literal('digest')]) }) },
  errors: ['notifications.wrong_link'],
});
