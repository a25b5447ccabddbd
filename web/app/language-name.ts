import type { Locale } from '@officium/i18n/locales';

const names = new Map<string, Intl.DisplayNames>();

/** The name of a language in another language: "French". */
export function languageName(code: string, locale: Locale): string {
  let known = names.get(locale);
  if (!known) names.set(locale, (known = new Intl.DisplayNames(locale, { type: 'language' })));
  return known.of(code) ?? code;
}
