import arabic from '@fontsource-variable/noto-sans-arabic/files/noto-sans-arabic-arabic-wght-normal.woff2?url';
import sans from '@fontsource-variable/public-sans/files/public-sans-latin-wght-normal.woff2?url';
import cyrillic from '@fontsource-variable/source-serif-4/files/source-serif-4-cyrillic-wght-normal.woff2?url';
import serif from '@fontsource-variable/source-serif-4/files/source-serif-4-latin-wght-normal.woff2?url';
import type { Locale } from '@officium/i18n/locales';

/**
 * Fonts for the first view in a language, preloaded beside the style sheet, which would request them later. None where
 * system fonts cover most of the text.
 */
export function fontsOf(locale: Locale): string[] {
  switch (locale) {
    case 'ar':
      return [arabic];
    case 'ja':
    case 'ko':
      return [];
    case 'sr-Cyrl':
      return [cyrillic];
    default:
      return [sans, serif];
  }
}
