/** Identifies a passage. */
export type PassageRef = { lesson: string; position: number };
/**
 * A word of the question found in a passage, or a synonym with `worth` below 1. `isOwn`: found in the passage's text,
 * not only in its heading or the lesson's title.
 */
export type Hit = PassageRef & { section: number; word: number; worth: number; isOwn: boolean; isExample: boolean };
/** A word spelled similarly to one in the question. */
export type WordHit = PassageRef & { section: number; word: number; likeness: number };

export type Ranked = PassageRef & {
  /** Share of the question found in the passage or close to it, from 0 to 1. */
  score: number;
};

export const WEIGHTS = {
  /** Weight of a word found in the passage's heading, section or lesson. */
  inHeading: 0.7,
  inSection: 0.5,
  inLesson: 0.25,
  /** Factor for passages of other lessons than the one asked about. */
  elsewhere: 0.6,
  /** Factor for examples. */
  example: 0.9,
  /** Weight of a synonym. */
  synonym: 0.8,
  /** Weight of a word found nowhere, so that questions about other subjects score low. */
  unknown: 0.8,
  enoughLike: 0.55,
  /** Minimum score of an answer. */
  enough: 0.38,
  /** Minimum score relative to the best passage. */
  nearly: 0.4,
};

type Worth = { ref: PassageRef; section: string; isExample: boolean; worth: Map<number, number>; own: number };

/** Words of the question, by number, with the most that each is worth somewhere. */
type Found = Map<number, number>;

/** Hits of the question's words in the passages, and in the sections and lessons around them. */
type Evidence = {
  passages: Map<string, Worth>;
  sections: Map<string, Found>;
  lessons: Map<string, Found>;
  /** Hits of each whole word in the texts of passages. */
  frequency: number[];
};

function raise(found: Found, word: number, worth: number): void {
  found.set(word, Math.max(found.get(word) ?? 0, worth));
}

function within(map: Map<string, Found>, key: string): Found {
  const found = map.get(key) ?? new Map<number, number>();
  map.set(key, found);
  return found;
}

/** Gathers all hits, and similarly spelled words where the question's own were not found. */
function gather(words: number, hits: Hit[], nearly: WordHit[], weights: typeof WEIGHTS): Evidence {
  const frequency = Array.from({ length: words }, () => 0);
  const passages = new Map<string, Worth>();
  const sections = new Map<string, Found>();
  const lessons = new Map<string, Found>();

  function note({ lesson: key, position, section, word }: Hit | WordHit, worth: number, isOwn: boolean) {
    const id = `${key} ${position}`;
    const sectionId = `${key} § ${section}`;
    const passage = passages.get(id) ?? {
      ref: { lesson: key, position },
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
  return { passages, sections, lessons, frequency };
}

/** The weight of each word; rarer words weigh more. */
function weigh({ passages, frequency }: Evidence, total: number, weights: typeof WEIGHTS): number[] {
  const scale = Math.log(1 + total);
  const found = new Set([...passages.values()].flatMap(({ worth }) => [...worth.keys()]));
  return frequency.map((count, word) =>
    found.has(word) ? Math.log(1 + total / Math.max(1, count)) / scale : weights.unknown,
  );
}

/**
 * Ranks passages by how much of the question they cover. Rarer words weigh more. A word counts fully in the passage's
 * text, and less in its heading, section or lesson.
 */
export function rankPassages({
  words,
  hits,
  nearly,
  total,
  lesson,
  weights = WEIGHTS,
}: {
  /** Number of words in the question. */
  words: number;
  hits: Hit[];
  nearly: WordHit[];
  total: number;
  /** The lesson asked about. */
  lesson: string;
  weights?: typeof WEIGHTS;
}): Ranked[] {
  if (words === 0 || total === 0) return [];
  const evidence = gather(words, hits, nearly, weights);
  const { passages, sections, lessons } = evidence;
  const scarcity = weigh(evidence, total, weights);
  const all = scarcity.reduce((sum, weight) => sum + weight, 0);
  if (all === 0) return [];

  return (
    [...passages.values()]
      // Keeps passages without own words only if everything matches, e.g. the opening of a lesson named after the
      // subject.
      .filter(({ own, worth }) => own > 0 || worth.size === words)
      .map(({ ref, section, isExample, worth }) => {
        let sum = 0;
        for (const [word, weight] of scarcity.entries()) {
          const around = Math.max(sections.get(section)?.get(word) ?? 0, lessons.get(ref.lesson)?.get(word) ?? 0);
          sum += weight * Math.max(worth.get(word) ?? 0, around);
        }
        const share = (sum / all) * (isExample ? weights.example : 1);
        return { ...ref, score: share * (ref.lesson === lesson ? 1 : weights.elsewhere) };
      })
      .toSorted((a, b) => b.score - a.score || a.lesson.localeCompare(b.lesson) || a.position - b.position)
  );
}

const MAX_QUOTES = 3;

/** The best answers, at most three. Empty if no score is high enough. */
export function pickAnswers(ranked: Ranked[], { enough, nearly } = WEIGHTS): Ranked[] {
  const best = ranked[0]?.score ?? 0;
  return ranked.filter(({ score }) => score >= enough && score >= best * nearly).slice(0, MAX_QUOTES);
}

export const MAX_CONTEXT = 12;
/** Minimum score of a passage shown to the model, which decides whether it answers the question. */
const WORTH_READING = 0.3;

export function pickContext(ranked: Ranked[]): Ranked[] {
  return ranked.filter(({ score }) => score >= WORTH_READING).slice(0, MAX_CONTEXT);
}
