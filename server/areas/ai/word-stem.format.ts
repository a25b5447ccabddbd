import type { Locale } from '@officium/contract/common';

/** The words of a text as the full text search knows them. */
export type Lexemes = ReadonlySet<string>;

/** What is left to compare of a word, for languages the database has no stemmer for: not its endings, not its particles. */
const STEMS: Partial<Record<Locale, (word: string) => string>> = {
  ja: (word) => (/^[\p{Script=Hiragana}ー]+$/u.test(word) ? '' : word),
  ko: (word) => word.slice(0, 2),
  pl: (word) => (word.length > 3 ? word.slice(0, 6) : ''),
};

/** A text as the text search of its language is given it. */
export function stemmable(text: string, locale: Locale): string {
  const stem = STEMS[locale];
  if (!stem) return text;
  return [...new Intl.Segmenter(locale, { granularity: 'word' }).segment(text)]
    .map(({ segment, isWordLike }) => (isWordLike ? stem(segment.toLowerCase()) : ''))
    .join(' ');
}
