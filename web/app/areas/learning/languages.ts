import { isLocale, type Locale } from '@officium/i18n/locales';

/** The language chosen for a text, independent of the site's: `?lang=` in the address. */
export function chosenLanguage(url: URL): Locale | undefined {
  const lang = url.searchParams.get('lang');
  return isLocale(lang) ? lang : undefined;
}

/** Keeps the chosen language when moving between lessons. */
export function inLanguage(path: string, lang: Locale | undefined): string {
  return lang ? `${path}?lang=${lang}` : path;
}
