/** Where a passage stands. */
export type PassagePlace = { lesson: string; position: number };
/**
 * A word of the question in a passage, or one that says nearly the same and is `worth` less than 1: `isOwn` in its text,
 * else in its heading or the title of its lesson.
 */
export type Hit = PassagePlace & { section: number; word: number; worth: number; isOwn: boolean; isExample: boolean };
/** A word spelled nearly like one of the question. */
export type WordHit = PassagePlace & { section: number; word: number; likeness: number };

export type Ranked = PassagePlace & {
  /** How much of what was asked stands there or right beside it, from 0 to 1. */
  score: number;
};

export const WEIGHTS = {
  /** What a word is worth to a passage that stands in its heading, in its section, in its lesson. */
  inHeading: 0.7,
  inSection: 0.5,
  inLesson: 0.25,
  /** The lesson that was asked is the better answer when two are nearly as good … */
  elsewhere: 0.6,
  /** … and so is what it says rather than shows. */
  example: 0.9,
  /** What another word for the same is worth. */
  synonym: 0.8,
  /** What a word weighs that stands nowhere: a question about something else is made of those. */
  unknown: 0.8,
  enoughLike: 0.55,
  /** A passage answers when it speaks of this much of what was asked … */
  enough: 0.38,
  /** … and is quoted beside the best when it is nearly as good. */
  nearly: 0.4,
};

type Worth = { place: PassagePlace; section: string; isExample: boolean; worth: Map<number, number>; own: number };

/**
 * Passages by how much of the question they speak of. A word weighs the more, the rarer it is in `total` passages. It
 * counts in full where it stands in the passage, less in its heading, its section, its lesson.
 */
export function rankPassages({
  words,
  hits,
  nearly,
  total,
  lesson,
  weights = WEIGHTS,
}: {
  /** How many words were asked. */
  words: number;
  hits: Hit[];
  nearly: WordHit[];
  total: number;
  /** The lesson that was asked. */
  lesson: string;
  weights?: typeof WEIGHTS;
}): Ranked[] {
  if (words === 0 || total === 0) return [];
  const frequency = Array.from({ length: words }, () => 0);
  const passages = new Map<string, Worth>();
  const sections = new Map<string, Map<number, number>>();
  const lessons = new Map<string, Map<number, number>>();

  const raise = (of: Map<number, number>, word: number, worth: number) =>
    of.set(word, Math.max(of.get(word) ?? 0, worth));
  const within = (map: Map<string, Map<number, number>>, key: string) => {
    const found = map.get(key) ?? new Map<number, number>();
    map.set(key, found);
    return found;
  };
  function note({ lesson: key, position, section, word }: Hit | WordHit, worth: number, isOwn: boolean) {
    const id = `${key} ${position}`;
    const sectionId = `${key} § ${section}`;
    const passage = passages.get(id) ?? {
      place: { lesson: key, position },
      section: sectionId,
      isExample: false,
      worth: new Map<number, number>(),
      own: 0,
    };
    passages.set(id, passage);
    if (isOwn) passage.own += 1;
    raise(passage.worth, word, worth);
    raise(within(sections, sectionId), word, worth * weights.inSection);
    raise(within(lessons, key), word, worth * weights.inLesson);
    if (isOwn && worth === 1) frequency[word] = (frequency[word] ?? 0) + 1;
    return passage;
  }
  for (const hit of hits) {
    const passage = note(hit, hit.worth * (hit.isOwn ? 1 : weights.inHeading), hit.isOwn);
    passage.isExample = hit.isExample;
  }
  const isKnown = new Set(hits.map(({ word }) => word));
  for (const hit of nearly)
    if (!isKnown.has(hit.word) && hit.likeness >= weights.enoughLike) note(hit, hit.likeness, true);

  const scale = Math.log(1 + total);
  const found = new Set([...passages.values()].flatMap(({ worth }) => [...worth.keys()]));
  const scarcity = frequency.map((count, word) =>
    found.has(word) ? Math.log(1 + total / Math.max(1, count)) / scale : weights.unknown,
  );
  const all = scarcity.reduce((sum, weight) => sum + weight, 0);
  if (all === 0) return [];

  return (
    [...passages.values()]
      // What a lesson is called after is answered by its beginning, which need not say the name again.
      .filter(({ own, worth }) => own > 0 || worth.size === words)
      .map(({ place, section, isExample, worth }) => {
        let sum = 0;
        for (const [word, weight] of scarcity.entries()) {
          const around = Math.max(sections.get(section)?.get(word) ?? 0, lessons.get(place.lesson)?.get(word) ?? 0);
          sum += weight * Math.max(worth.get(word) ?? 0, around);
        }
        const share = (sum / all) * (isExample ? weights.example : 1);
        return { ...place, score: share * (place.lesson === lesson ? 1 : weights.elsewhere) };
      })
      .toSorted((a, b) => b.score - a.score || a.lesson.localeCompare(b.lesson) || a.position - b.position)
  );
}

const MAX_QUOTES = 3;

/** The few that answer, best first; none when nothing does. */
export function pickAnswers(ranked: Ranked[], { enough, nearly } = WEIGHTS): Ranked[] {
  const best = ranked[0]?.score ?? 0;
  return ranked.filter(({ score }) => score >= enough && score >= best * nearly).slice(0, MAX_QUOTES);
}

export const MAX_CONTEXT = 12;
/** What is good enough to be read by a model, which then says whether it answers. */
const WORTH_READING = 0.3;

export function pickContext(ranked: Ranked[]): Ranked[] {
  return ranked.filter(({ score }) => score >= WORTH_READING).slice(0, MAX_CONTEXT);
}
