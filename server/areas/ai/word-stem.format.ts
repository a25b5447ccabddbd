import type { Locale } from '@officium/contract/common';

/** The lexemes of a text in full-text search. */
export type Lexemes = ReadonlySet<string>;

/** Simple stemmers for languages without one in PostgreSQL. They drop endings and particles. */
const STEMS: Partial<Record<Locale, (word: string) => string>> = {
  ja: (word) => (/^[\p{Script=Hiragana}ー]+$/u.test(word) ? '' : word),
  ko: (word) => word.slice(0, 2),
  pl: (word) => (word.length > 3 ? word.slice(0, 6) : ''),
};

/** Prepares a text for full-text search in its language. */
export function stemmable(text: string, locale: Locale): string {
  const stem = STEMS[locale];
  if (!stem) return text;
  return [...new Intl.Segmenter(locale, { granularity: 'word' }).segment(text)]
    .map(({ segment, isWordLike }) => (isWordLike ? stem(segment.toLowerCase()) : ''))
    .join(' ');
}
