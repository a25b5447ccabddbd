import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { NOTIFICATION_EVENTS, type NotificationEvent } from '@officium/contract/notifications';
import type { Ctx } from '#server/ctx.ts';
import { type Db, inTransaction } from '#server/db/client.ts';
import { AppError } from '#server/errors.ts';
import { ensureSecret, getSecret } from './preference.repository.ts';
import { changePreferences } from './preference.service.ts';

/** The mails a link ends: those about one event, or all digests. */
export type MailScope = NotificationEvent | 'digest';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function sign(secret: Buffer, userId: string, scope: string): Buffer {
  return createHmac('sha256', secret).update(`unsubscribe ${userId} ${scope}`).digest();
}

/** List-Unsubscribe headers, RFC 2369 and RFC 8058. */
export async function unsubscribeHeaders(
  ctx: Ctx,
  db: Db,
  { userId, scope }: { userId: string; scope: MailScope },
): Promise<Record<string, string>> {
  const secret = await ensureSecret(db, userId, randomBytes(32));
  const token = `${userId}.${scope}.${sign(secret, userId, scope).toString('base64url')}`;
  return {
    'List-Unsubscribe': `<${ctx.config.publicUrl}/api/notifications/unsubscribe?token=${token}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  };
}

function scopeOf(name: string): MailScope | undefined {
  return [...NOTIFICATION_EVENTS, 'digest' as const].find((scope) => scope === name);
}

/** Turns off the mails a token names. Idempotent. Throws 400 for a token without a valid signature. */
export async function unsubscribe(ctx: Ctx, token: string): Promise<{ event: MailScope }> {
  const [userId = '', name = '', signature = ''] = token.split('.');
  const event = scopeOf(name);
  const secret = UUID.test(userId) ? await getSecret(ctx.db, userId) : undefined;
  const given = Buffer.from(signature, 'base64url');
  const expected = sign(secret ?? randomBytes(32), userId, name);
  if (!event || !secret || given.length !== expected.length || !timingSafeEqual(given, expected))
    throw new AppError('notifications.wrong_link');
  await inTransaction(ctx.db, (trx) =>
    changePreferences(trx, userId, (preference) => {
      const isInDigest = preference.mail === 'daily' || preference.mail === 'weekly';
      const ends = event === 'digest' ? isInDigest : preference.event === event;
      return ends ? { ...preference, mail: 'never' } : preference;
    }),
  );
  return { event };
}
