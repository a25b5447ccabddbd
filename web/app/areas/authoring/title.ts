import { chainOf, isLocale, LOCALES, type Locale } from '@officium/i18n/locales';
import type { Piece } from '@officium/contract/authoring';

type Texts = Partial<Record<Locale, string>>;

/** A title in the language of the page, else the nearest available, with its language. */
export function titleOf(title: Texts, locale: string): { text: string; lang: Locale | undefined } {
  const chain = isLocale(locale) ? chainOf(locale) : [];
  const lang = [...chain, ...LOCALES].find((candidate) => title[candidate]);
  return { text: (lang && title[lang]) ?? '', lang };
}

export type LanguageState = 'source' | 'whole' | 'older' | 'missing';

/** The state of a translation: complete, incomplete, or older than the source. */
export function languageState(
  piece: Pick<Piece, 'doc' | 'sourceLocale' | 'textsChangedAt'>,
  locale: Locale,
): LanguageState {
  const { doc, sourceLocale, textsChangedAt } = piece;
  if (locale === sourceLocale) return 'source';
  const texts = [doc.title, ...('body' in doc ? [doc.body] : [])];
  if (texts.some((text) => text[sourceLocale] && !text[locale])) return 'missing';
  const [own, source] = [textsChangedAt[locale], textsChangedAt[sourceLocale]];
  return source !== undefined && (own === undefined || own < source) ? 'older' : 'whole';
}
