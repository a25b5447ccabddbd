import { createHash } from 'node:crypto';
import type { Locale } from '@officium/contract/common';
import { dirOf } from '@officium/i18n/locales';
import { pagePath } from '#server/page-address.ts';
import { toSentence } from './mail.view.ts';
import type { NotificationRow } from './notification.repository.ts';
import type { DeviceRow } from './push.repository.ts';

/** A device as its person sees it: without its address, which lets others send to it. */
export function toPushDevice({ id, userAgent, endpoint, createdAt }: DeviceRow) {
  const fingerprint = createHash('sha256').update(endpoint).digest('base64url');
  return { id, userAgent, fingerprint, createdAt: createdAt.toISOString() };
}

/** Characters of a message: with the rest, below what every push service accepts, in any script. */
const MAX_CHARACTERS = 500;

/** The notification on a device, as worker/push.ts reads it: the sentence that is also the subject of the mail. */
export function toMessage(row: NotificationRow, { locale, siteName }: { locale: Locale; siteName: string }): string {
  return JSON.stringify({
    id: row.id,
    title: siteName,
    body: [...toSentence(row, locale)].slice(0, MAX_CHARACTERS).join(''),
    lang: locale,
    dir: dirOf(locale),
    path: pagePath(row.page, row.anchor),
  });
}
