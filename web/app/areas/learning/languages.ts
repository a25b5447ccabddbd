import { isLocale, type Locale } from '@officium/i18n/locales';

const names = new Map<Locale, Intl.DisplayNames>();

/** What `code` is called in `locale`: "French", "Brazilian Portuguese". */
export function languageName(code: Locale, locale: Locale): string {
  let known = names.get(locale);
  if (!known) names.set(locale, (known = new Intl.DisplayNames(locale, { type: 'language' })));
  return known.of(code) ?? code;
}

/** The language a reader chose for a text, apart from that of the site: `?lang=` of the address. */
export function chosenLanguage(url: URL): Locale | undefined {
  const lang = url.searchParams.get('lang');
  return isLocale(lang) ? lang : undefined;
}

/** Keeps the chosen language when going from one lesson to another. */
export function inLanguage(path: string, lang: Locale | undefined): string {
  return lang ? `${path}?lang=${lang}` : path;
}
