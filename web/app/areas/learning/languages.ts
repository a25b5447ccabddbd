import { isLocale, type Locale } from '@officium/i18n/locales';

/** The language a reader chose for a text, apart from that of the site: `?lang=` of the address. */
export function chosenLanguage(url: URL): Locale | undefined {
  const lang = url.searchParams.get('lang');
  return isLocale(lang) ? lang : undefined;
}

/** Keeps the chosen language when going from one lesson to another. */
export function inLanguage(path: string, lang: Locale | undefined): string {
  return lang ? `${path}?lang=${lang}` : path;
}
