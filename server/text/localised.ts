import type { LocalizedText } from '@officium/contract/common';
import { chainOf, isLocale, type Locale } from '@officium/i18n/locales';

/**
 * Picks a stored text in the requested language, else along its fallback chain, else in any language. Returns the text
 * with its language; an empty map gives an empty text.
 */
export function pickText(map: LocalizedText, locale: Locale): { text: string; locale: Locale } {
  for (const candidate of [...chainOf(locale), ...Object.keys(map).sort()]) {
    const text = isLocale(candidate) ? map[candidate] : undefined;
    if (isLocale(candidate) && text) return { text, locale: candidate };
  }
  return { text: '', locale };
}
