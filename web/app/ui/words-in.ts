/** The number of words of a text in a language, also of one that writes no spaces. */
export function wordsIn(text: string, locale: string): number {
  const segments = new Intl.Segmenter(locale, { granularity: 'word' }).segment(text);
  let count = 0;
  for (const { isWordLike } of segments) if (isWordLike) count++;
  return count;
}
