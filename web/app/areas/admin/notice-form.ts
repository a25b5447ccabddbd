import type { ReplyOf } from '@officium/contract/endpoint';
import { type listSiteNotices, NOTICE_AUDIENCES, NOTICE_LEVELS } from '@officium/contract/site-notices';
import type { Locale } from '@officium/i18n/locales';
import { optionalOf, textOf } from '../../form/fields.ts';
import { fromWallTime } from '../../wall-time.ts';

export type SiteNotice = ReplyOf<typeof listSiteNotices>['notices'][number];

/** The submitted notice; texts of languages that the form does not show are kept. */
export function noticeOf(fields: FormData, stored: SiteNotice | undefined, timeZone: string, shown: readonly Locale[]) {
  const kept = Object.entries(stored?.texts ?? {}).filter(([locale]) => !shown.some((one) => one === locale));
  const written = shown.map((locale) => [locale, textOf(fields, `texts.${locale}`).trim()]);
  const ends = optionalOf(fields, 'endsAt');
  const starts = textOf(fields, 'startsAt');
  return {
    level: NOTICE_LEVELS.find((level) => level === fields.get('level')) ?? 'information',
    audience: NOTICE_AUDIENCES.find((audience) => audience === fields.get('audience')) ?? 'everyone',
    texts: Object.fromEntries([...kept, ...written.filter(([, text]) => text !== '')]) as SiteNotice['texts'],
    url: optionalOf(fields, 'url') ?? null,
    // An unreadable date is sent as it is, for the API to refuse.
    startsAt: fromWallTime(starts, timeZone) ?? starts,
    endsAt: ends === undefined ? null : (fromWallTime(ends, timeZone) ?? ends),
  };
}
