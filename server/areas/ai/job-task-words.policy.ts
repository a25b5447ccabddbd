/** A word of a text. `weight` is null if no statement contains it. */
type Word = { position: number; word: string; spelling: string; weight: number | null };
type LikeSpelling = { given: string; word: string; weight: number; likeness: number };

/** Only this many words of a task are used. */
const MAX_WORDS = 32;
/** Weight of an unknown word: as if it were in one of 20 000 statements. */
const UNKNOWN_WEIGHT = Math.log(20_000);
/**
 * A text with more unknown words than this, or more unknown than known ones, is probably not English: no spelling
 * correction.
 */
const MAX_MISSPELT = 3;
const MIN_MISSPELT_LENGTH = 5;
const ALIKE = 0.5;
/**
 * Searches for the rarest words of a text while they occur in at most this share of all statements together. Every near
 * statement contains some of them.
 */
const SOUGHT_SHARE = 0.6;

function byText(words: readonly Word[]): Word[][] {
  return [...Map.groupBy(words, ({ position }) => position).values()].map((text) => text.slice(0, MAX_WORDS));
}

/** Spellings that may be mistakes. */
export function misspelt(words: readonly Word[]): string[] {
  return byText(words).flatMap((text) => {
    const unknown = text.filter(({ weight }) => weight === null);
    if (unknown.length > MAX_MISSPELT || unknown.length * 2 > text.length) return [];
    return unknown.map(({ spelling }) => spelling).filter((spelling) => [...spelling].length >= MIN_MISSPELT_LENGTH);
  });
}

type QueryWord = { position: number; word: string; weight: number; is_first: boolean };

/**
 * The words to search for, with their weights. A misspelt word is replaced by the most similar one, weighted by
 * similarity. Words that are not sought still count towards the length of the text.
 */
export function weighWords(
  words: readonly Word[],
  alike: readonly LikeSpelling[],
): (QueryWord & { is_sought: boolean })[] {
  const meant = new Map(alike.filter(({ likeness }) => likeness >= ALIKE).map((like) => [like.given, like]));
  return byText(words).flatMap((text) => {
    const weighed = new Map<string, QueryWord>();
    for (const [index, { position, word, spelling, weight }] of text.entries()) {
      const like = weight === null ? meant.get(spelling) : undefined;
      const key = like?.word ?? word;
      const known = weight ?? (like ? like.weight * like.likeness : UNKNOWN_WEIGHT);
      const earlier = weighed.get(key);
      weighed.set(key, {
        position,
        word: key,
        weight: Math.max(known, earlier?.weight ?? 0),
        is_first: index === 0 || (earlier?.is_first ?? false),
      });
    }
    const sought = seek([...weighed.values()]);
    return [...weighed.values()].map((found) => ({ ...found, is_sought: sought.has(found.word) }));
  });
}

function seek(text: readonly QueryWord[]): Set<string> {
  const sought = new Set<string>();
  let share = 0;
  for (const { word, weight } of text.toSorted((a, b) => b.weight - a.weight)) {
    share += Math.exp(-weight); // exp(-weight) is the share of statements that contain the word
    if (share > SOUGHT_SHARE) break;
    sought.add(word);
  }
  return sought;
}
