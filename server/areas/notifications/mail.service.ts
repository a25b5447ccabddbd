import {
  DEFAULT_DIGEST_HOUR,
  isTimeZone,
  NOTIFICATION_DEFAULTS,
  NOTIFICATION_EVENTS,
} from '@officium/contract/notifications';
import { toOffered } from '@officium/i18n/negotiate';
import type { UserViewer } from '#server/access/viewer.ts';
import { linkTo } from '#server/areas/auth/mails.service.ts';
import { findActiveViewer } from '#server/areas/auth/user.service.ts';
import type { Ctx } from '#server/ctx.ts';
import { type Db, inTransaction } from '#server/db/client.ts';
import { pagePath } from '#server/page-address.ts';
import { queueMail } from '#server/mail/outbox.ts';
import { localMoment } from './digest.policy.ts';
import { sightOf } from './inbox.service.ts';
import {
  claimPending,
  type DefaultPaces,
  findDigestRecipients,
  findMailRecipients,
  findTimeZones,
} from './mail.repository.ts';
import { toQuotation, toSentence } from './mail.view.ts';
import { findVisible, type NotificationRow } from './notification.repository.ts';
import { claim } from './reminder.repository.ts';
import { unsubscribeHeaders } from './unsubscribe.service.ts';

const DEFAULTS = Object.fromEntries(
  NOTIFICATION_EVENTS.map((event) => [event, NOTIFICATION_DEFAULTS[event].mail]),
) as DefaultPaces; // Object.fromEntries loses the key type
/** Sentences in a digest. Its subject counts all notifications. */
const MAX_SENTENCES = 20;

/** The given notifications that the viewer may see now. */
export async function visibleTo(ctx: Ctx, db: Db, viewer: UserViewer, ids: string[]): Promise<NotificationRow[]> {
  const sight = await sightOf({ ...ctx, db }, viewer);
  const filter = { unread: true, ids, limit: ids.length, offset: 0 };
  return await findVisible(db, { viewer, locale: viewer.locale }, sight, filter);
}

async function mailOne(ctx: Ctx, db: Db, viewer: UserViewer, row: NotificationRow): Promise<void> {
  const locale = toOffered(viewer.locale, ctx.site.current());
  await queueMail(ctx, db, {
    kind: 'notification',
    userId: viewer.id,
    to: viewer.email,
    locale,
    values: { news: toSentence(row, locale), words: toQuotation(row, locale) },
    link: linkTo(ctx, pagePath(row.page, row.anchor)),
    headers: await unsubscribeHeaders(ctx, db, { userId: viewer.id, scope: row.event }),
  });
}

async function mailDigest(ctx: Ctx, db: Db, viewer: UserViewer, rows: NotificationRow[]): Promise<void> {
  const locale = toOffered(viewer.locale, ctx.site.current());
  const sentences = rows.slice(0, MAX_SENTENCES).map((row) => toSentence(row, locale));
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

/** Runs `work` for every item even when some fail, then throws the first error. */
async function forEach<T>(items: T[], work: (item: T) => Promise<void>): Promise<void> {
  const errors: unknown[] = [];
  for (const item of items) await work(item).catch((error: unknown) => errors.push(error));
  if (errors.length > 0) throw errors[0];
}

/** Sends the pending immediate mails, one per notification that is still unread. */
export async function mailPending(ctx: Ctx): Promise<void> {
  await forEach(await findMailRecipients(ctx.db, DEFAULTS), async (userId) =>
    inTransaction(ctx.db, async (trx) => {
      const ids = await claimPending(trx, userId, ['at-once'], DEFAULTS);
      const viewer = ids.length > 0 ? await findActiveViewer(trx, userId) : undefined;
      if (!viewer) return;
      for (const row of await visibleTo(ctx, trx, viewer, ids)) await mailOne(ctx, trx, viewer, row);
    }),
  );
}

/** Sends the digests due at `now`, on Mondays with the weekly notifications. At most one per user and day. */
export async function mailDigests(ctx: Ctx, now: Date): Promise<void> {
  // Zone names change: a zone unknown to this version of Node must not hold up the others.
  const zones = (await findTimeZones(ctx.db)).filter(isTimeZone);
  const moments = new Map(zones.map((zone) => [zone, localMoment(zone, now)]));
  const query = { defaults: DEFAULTS, hours: [...moments.values()], defaultHour: DEFAULT_DIGEST_HOUR };
  await forEach(await findDigestRecipients(ctx.db, query), async ({ id, timeZone }) => {
    const moment = moments.get(timeZone);
    await inTransaction(ctx.db, async (trx) => {
      if (!moment || !(await claim(trx, `digest ${id} ${moment.date}`))) return;
      const ids = await claimPending(trx, id, moment.isMonday ? ['daily', 'weekly'] : ['daily'], DEFAULTS);
      const viewer = ids.length > 0 ? await findActiveViewer(trx, id) : undefined;
      if (!viewer) return;
      const rows = await visibleTo(ctx, trx, viewer, ids);
      if (rows.length > 0) await mailDigest(ctx, trx, viewer, rows);
    });
  });
}
