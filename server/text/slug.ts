import anyAscii from 'any-ascii';

// oxlint-disable-next-line no-control-regex
const ASCII = /^[\u0000-\u007f]*$/;
const RUN = /[\p{Script=Han}々]+|[\p{Script=Katakana}ー]+|\p{Script=Hiragana}+/gu;
const segmenter = new Intl.Segmenter('zh', { granularity: 'word' });

/**
 * Writes a text with ASCII characters only, in the usual romanisation of each script. Words of Chinese and Japanese,
 * which have no spaces, are separated. Characters without a romanisation are dropped.
 */
export function toAscii(text: string): string {
  if (ASCII.test(text)) return text;
  const separated = text
    .normalize('NFKC')
    .replace(RUN, (run) => ` ${/\p{Script=Han}/u.test(run) ? words(run).join(' ') : romaji(run)} `)
    // The library drops the long vowel of Arabic, without which many words look the same.
    .replace(/[اأإآٱ]/g, 'a');
  return anyAscii(separated);
}

const words = (run: string): string[] => [...segmenter.segment(run)].map(({ segment }) => segment);

const SMALL_TSU = /[っッ](.)/gu;
const SMALL_Y = /([きぎしじちぢにひびぴみりキギシジチヂニヒビピミリ])([ゃゅょャュョ])/gu;
const SMALL_VOWEL = /(\p{Script=Hiragana}|\p{Script=Katakana})([ぁぃぅぇぉァィゥェォ])/gu;

/** Joins the small kana to the syllable before or after them; the library writes each as a syllable of its own. */
function romaji(word: string): string {
  return word
    .replace(SMALL_Y, (_, syllable: string, small: string) => {
      const start = anyAscii(syllable).slice(0, -1);
      const end = anyAscii(small);
      return /(?:sh|ch|j)$/.test(start) ? start + end.replace('y', '') : start + end;
    })
    .replace(SMALL_VOWEL, (_, syllable: string, small: string) => anyAscii(syllable).slice(0, -1) + anyAscii(small))
    .replace(SMALL_TSU, (_, next: string) => anyAscii(next).slice(0, 1) + next)
    .replaceAll('ー', '');
}

/** Makes an address of lower-case ASCII letters, digits and single hyphens, cut at a word; empty if nothing remains. */
export function slugFrom(text: string, maxLength: number): string {
  // Apostrophes are inside words. Symbols are dropped before the library spells them out.
  const letters = text
    .normalize('NFKC')
    .replace(/['’`]/g, '')
    .replace(/[^\p{L}\p{M}\p{N}ー]+/gu, ' ');
  const slug = toAscii(letters)
    .toLowerCase()
    .replace(/['`]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return cutAtWord(slug, maxLength);
}

/** Cuts a hyphenated slug to a length, at the end of a word unless the first word alone is longer. */
export function cutAtWord(slug: string, maxLength: number): string {
  if (slug.length <= maxLength) return slug;
  const cut = slug.slice(0, maxLength + 1).lastIndexOf('-');
  return slug.slice(0, cut > 0 ? cut : maxLength);
}
