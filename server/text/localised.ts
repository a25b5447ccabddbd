import type { LocalizedText } from '@officium/contract/common';
import { chainOf, isLocale, type Locale } from '@officium/i18n/locales';

/**
 * A stored text in the language asked for, else in the next of its chain, else in whichever there is, with the language
 * it came in. An empty map gives an empty text.
 */
export function pickText(map: LocalizedText, locale: Locale): { text: string; locale: Locale } {
  for (const candidate of [...chainOf(locale), ...Object.keys(map).sort()]) {
    const text = isLocale(candidate) ? map[candidate] : undefined;
    if (isLocale(candidate) && text) return { text, locale: candidate };
  }
  return { text: '', locale };
}
