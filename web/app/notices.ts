import type { Locale } from '@officium/i18n/locales';
import { keyOf, shownAt } from './notice-times.ts';
import type { PageNotice, Words } from './root-data.ts';
import type { PageSite } from './server/page-context.ts';
import { wordsOf } from './site.ts';

const MAX_SHOWN = 3;
/** More than are ever kept at once, so that the cookie stays small. */
const MAX_DISMISSED = 20;

type Visit = { locale: Locale; isSignedIn: boolean; dismissed: string | undefined; now: number };

/** The notices of a page, latest start first. */
export function noticesFor({ notices }: Pick<PageSite, 'notices'>, visit: Visit): PageNotice[] {
  const { locale, isSignedIn, now } = visit;
  const dismissed = new Set(visit.dismissed?.split('~'));
  return shownAt(notices, now)
    .filter(({ audience }) => isSignedIn || audience === 'everyone')
    .filter((notice) => notice.level === 'warning' || !dismissed.has(keyOf(notice)))
    .slice(0, MAX_SHOWN)
    .flatMap((notice) => {
      const words: Words | null = wordsOf(notice.texts, locale);
      return words ? [{ key: keyOf(notice), level: notice.level, words, url: notice.url }] : [];
    });
}

/** The new value of the cookie, newest first. */
export function dismiss(key: string, dismissed: string | undefined): string {
  const others = (dismissed ?? '').split('~').filter((one) => one !== '' && one !== key);
  return [key, ...others].slice(0, MAX_DISMISSED).join('~');
}
