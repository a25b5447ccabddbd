/** A word of a text: `weight` is null when no statement has it. */
type Word = { position: number; word: string; spelling: string; weight: number | null };
type LikeSpelling = { asked: string; word: string; weight: number; likeness: number };

/** A task is a sentence: what comes after so many words does not count. */
const MAX_WORDS = 32;
/** The weight of a word that no statement has: that of one in a single statement among so many. */
const UNKNOWN_WEIGHT = Math.log(20_000);
/** With more unknown words than these, or more than known ones, a text is no English and its spelling is left alone. */
const MAX_MISSPELT = 3;
const MIN_MISSPELT_LENGTH = 5;
const ALIKE = 0.5;
/**
 * Common words are in many statements. The rarest words of a text are sought, as long as together they are in no more
 * than this multiple of all statements; whatever is near has some of them.
 */
const SOUGHT_SHARE = 0.6;

function byText(words: readonly Word[]): Word[][] {
  return [...Map.groupBy(words, ({ position }) => position).values()].map((text) => text.slice(0, MAX_WORDS));
}

/** The spellings that may be mistakes. */
export function misspelt(words: readonly Word[]): string[] {
  return byText(words).flatMap((text) => {
    const unknown = text.filter(({ weight }) => weight === null);
    if (unknown.length > MAX_MISSPELT || unknown.length * 2 > text.length) return [];
    return unknown.map(({ spelling }) => spelling).filter((spelling) => [...spelling].length >= MIN_MISSPELT_LENGTH);
  });
}

type Asked = { position: number; word: string; weight: number; is_first: boolean };

/**
 * The words to look for, with their weights. A misspelt one stands for the word it is like, and weighs the less, the
 * less it is like it. One that is not sought only makes its text longer.
 */
export function weighWords(words: readonly Word[], alike: readonly LikeSpelling[]): (Asked & { is_sought: boolean })[] {
  const meant = new Map(alike.filter(({ likeness }) => likeness >= ALIKE).map((like) => [like.asked, like]));
  return byText(words).flatMap((text) => {
    const weighed = new Map<string, Asked>();
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
    return [...weighed.values()].map((asked) => ({ ...asked, is_sought: sought.has(asked.word) }));
  });
}

function seek(text: readonly Asked[]): Set<string> {
  const sought = new Set<string>();
  let share = 0;
  for (const { word, weight } of text.toSorted((a, b) => b.weight - a.weight)) {
    share += Math.exp(-weight); // a weight is the logarithm of how many statements there are to one with the word
    if (share > SOUGHT_SHARE) break;
    sought.add(word);
  }
  return sought;
}
