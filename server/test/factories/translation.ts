import { LOCALES } from '@officium/contract/common';
import type { TranslationEngine } from '#server/translation/translation.ts';

/** A translation engine with the given replies, for all languages. */
export function engineOf(
  translate: TranslationEngine['translate'],
  more: Partial<Omit<TranslationEngine, 'translate'>> = {},
): TranslationEngine {
  return {
    translate,
    nameOf: () => 'a test',
    sourcesOf: async (target) => LOCALES.filter((locale) => locale !== target),
    ...more,
  };
}
