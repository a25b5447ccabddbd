import {
  DEFAULT_DIGEST_HOUR,
  isTimeZone,
  NOTIFICATION_DEFAULTS,
  NOTIFICATION_EVENTS,
} from '@officium/contract/notifications';
import type { Locale } from '@officium/contract/common';
import { isActive, type Role, type UserViewer } from '#server/access/viewer.ts';
import { linkTo } from '#server/areas/auth/mails.service.ts';
import { getUser } from '#server/areas/auth/user.service.ts';
import type { Ctx } from '#server/ctx.ts';
import { type Db, inTransaction } from '#server/db/client.ts';
import { pagePath } from '#server/page-address.ts';
import { queueMail } from '#server/mail/outbox.ts';
import { localMoment } from './digest.policy.ts';
import { sightOf } from './inbox.service.ts';
import { findDigestReaders, findTimeZones, findWaiting, takeWaiting, type UsualPaces } from './mail.repository.ts';
import { toSentence } from './mail.view.ts';
import { findVisible, type NotificationRow } from './notification.repository.ts';
import { claim } from './once.repository.ts';
import { unsubscribeHeaders } from './unsubscribe.service.ts';

// Object.fromEntries knows no names.
const USUAL = Object.fromEntries(
  NOTIFICATION_EVENTS.map((event) => [event, NOTIFICATION_DEFAULTS[event].mail]),
) as UsualPaces;
/** Sentences a digest has; its subject counts all. */
const MOST_SENTENCES = 20;

/** A person as a session of theirs would be; undefined when they may not be written to. */
async function readerOf(db: Db, userId: string): Promise<UserViewer | undefined> {
  const user = await getUser(db, userId);
  if (!user?.email) return undefined;
  const viewer: UserViewer = {
    kind: 'user',
    id: user.id,
    role: user.role as Role, // the column's check says so
    name: user.name,
    email: user.email,
    locale: user.locale as Locale, // only locales are stored
    localeChosen: user.locale_chosen,
    thumbnail: user.image_thumbnail,
    limited: user.email_proven_at === null,
    permissions: null,
    sessionId: '',
    recentUntilMs: 0,
    hasSecondFactor: user.second_factor,
  };
  return isActive(viewer) ? viewer : undefined;
}

/** What of these the person may see at this moment. */
async function visibleTo(ctx: Ctx, db: Db, viewer: UserViewer, ids: string[]): Promise<NotificationRow[]> {
  const sight = await sightOf({ ...ctx, db }, viewer);
  const chosen = { unread: true, ids, limit: ids.length, offset: 0 };
  return await findVisible(db, { viewer, locale: viewer.locale }, sight, chosen);
}

async function mailOne(ctx: Ctx, db: Db, viewer: UserViewer, row: NotificationRow): Promise<void> {
  const { locale } = viewer;
  await queueMail(ctx, db, {
    kind: 'notification',
    userId: viewer.id,
    to: viewer.email,
    locale,
    values: { news: toSentence(row, locale) },
    link: linkTo(ctx, pagePath(row.page, row.anchor)),
    headers: await unsubscribeHeaders(ctx, db, { userId: viewer.id, scope: row.event }),
  });
}

async function mailDigest(ctx: Ctx, db: Db, viewer: UserViewer, rows: NotificationRow[]): Promise<void> {
  const { locale } = viewer;
  const sentences = rows.slice(0, MOST_SENTENCES).map((row) => toSentence(row, locale));
  await queueMail(ctx, db, {
    kind: 'notification_digest',
    userId: viewer.id,
    to: viewer.email,
    locale,
    values: { count: rows.length, news: sentences.join('\n\n') },
    link: linkTo(ctx, '/notifications'),
    headers: await unsubscribeHeaders(ctx, db, { userId: viewer.id, scope: 'digest' }),
  });
}

/** Does something for each person, whatever happens to it for others, and throws at last what was thrown first. */
async function forEach<T>(all: T[], work: (one: T) => Promise<void>): Promise<void> {
  const errors: unknown[] = [];
  for (const one of all) await work(one).catch((error: unknown) => errors.push(error));
  if (errors.length > 0) throw errors[0];
}

/** Mails what is to be mailed at once and was not read meanwhile, each in a mail of its own. */
export async function mailWaiting(ctx: Ctx): Promise<void> {
  await forEach(await findWaiting(ctx.db, USUAL), async (userId) =>
    inTransaction(ctx.db, async (trx) => {
      const ids = await takeWaiting(trx, userId, ['at-once'], USUAL);
      const viewer = ids.length > 0 ? await readerOf(trx, userId) : undefined;
      if (!viewer) return;
      for (const row of await visibleTo(ctx, trx, viewer, ids)) await mailOne(ctx, trx, viewer, row);
    }),
  );
}

/**
 * Sends the digests of all whose hour it is at `now`, on Mondays with what was to come once a week. At most one a day and
 * person.
 */
export async function mailDigests(ctx: Ctx, now: Date): Promise<void> {
  // Names of zones change; one that this version of Node does not know holds up nobody else's.
  const zones = (await findTimeZones(ctx.db)).filter(isTimeZone);
  const moments = new Map(zones.map((zone) => [zone, localMoment(zone, now)]));
  const asked = { usual: USUAL, hours: [...moments.values()], usualHour: DEFAULT_DIGEST_HOUR };
  await forEach(await findDigestReaders(ctx.db, asked), async ({ id, timeZone }) => {
    const moment = moments.get(timeZone);
    await inTransaction(ctx.db, async (trx) => {
      if (!moment || !(await claim(trx, `digest ${id} ${moment.date}`))) return;
      const ids = await takeWaiting(trx, id, moment.isMonday ? ['daily', 'weekly'] : ['daily'], USUAL);
      const viewer = ids.length > 0 ? await readerOf(trx, id) : undefined;
      if (!viewer) return;
      const rows = await visibleTo(ctx, trx, viewer, ids);
      if (rows.length > 0) await mailDigest(ctx, trx, viewer, rows);
    });
  });
}
