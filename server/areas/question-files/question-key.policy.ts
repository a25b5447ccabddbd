import {
  decimalOf,
  type Note,
  type PortableCriterion,
  type PortableItem,
  type PortablePair,
  type PortableQuestion,
} from './question.policy.ts';

/** The part of a question that its type decides, with its general feedback. */
export type QuestionKey = PortableQuestion extends infer T
  ? T extends PortableQuestion
    ? Omit<T, 'name' | 'tags' | 'text' | 'points' | 'hint'>
    : never
  : never;

/** Accepted answers to type. `*` matches anything in Moodle, which no answer here does. */
export function textKey(
  texts: readonly string[],
  { feedback, isCaseSensitive }: { feedback: string; isCaseSensitive: boolean },
  note: Note,
): QuestionKey | undefined {
  const pattern = texts.find((text) => /(?<!\\)\*/.test(text));
  if (pattern !== undefined) note('pattern', pattern);
  const literal = texts.filter((text) => !/(?<!\\)\*/.test(text)).map((text) => text.replaceAll('\\*', '*'));
  const answers = [...new Set(literal.map((text) => text.replace(/\s+/g, ' ').trim()))].filter((text) => text !== '');
  if (answers.some((text) => text.includes('|'))) return void note('inexpressible', '|');
  return { type: 'text', answers, isCaseSensitive, isAccentSensitive: false, feedback };
}

export function numberKey(number: string, tolerance: string, feedback: string, note: Note): QuestionKey | undefined {
  const answer = decimalOf(number);
  const around = decimalOf(tolerance.trim() === '' ? '0' : tolerance);
  if (answer === undefined || around === undefined)
    return void note('number', `${number.trim()} ± ${tolerance.trim()}`);
  return { type: 'number', answer, tolerance: around.replace('-', ''), feedback };
}

/** Pairs to match. A pair without a prompt is an answer to none. */
export function matchingKey(pairs: readonly PortablePair[], feedback: string): QuestionKey {
  const own = pairs.filter(({ prompt }) => prompt !== '');
  const used = new Set(own.map(({ answer }) => answer));
  const others = new Set(pairs.flatMap(({ prompt, answer }) => (prompt === '' && !used.has(answer) ? [answer] : [])));
  others.delete('');
  return { type: 'matching', pairs: own, others: [...others], feedback };
}

export function orderingKey(items: readonly PortableItem[], feedback: string): QuestionKey {
  return { type: 'ordering', items: [...items], feedback };
}

const CRITERION = /^\s*(?:[-*+]|\d{1,2}[.)])?\s*\\?\[(\d{1,3})\\?\]\s+(\S.*)$/;
const MAX_WORDS = 9_999;

/** Notes for markers as criteria: each line that begins with points, such as `- [2] Names a reason`. Undefined if there is another line. */
function criteriaIn(markdown: string): PortableCriterion[] | undefined {
  const lines = markdown.split('\n').filter((line) => line.trim() !== '');
  const criteria = lines.map((line) => {
    const [, points, text = ''] = CRITERION.exec(line) ?? [];
    return { text: text.trim(), points: Number(points ?? '0') };
  });
  return criteria.length > 0 && criteria.every(({ points }) => points > 0) ? criteria : undefined;
}

function criteriaOf(notes: string, points: number): PortableCriterion[] {
  const text = notes.replace(/\s*\n\s*/g, ' ').trim();
  return text === '' ? [] : (criteriaIn(notes) ?? [{ text, points }]);
}

/** A question that a person marks. Notes for markers without points are one criterion that is worth all points. */
export function openKey(
  { notes, words, points }: { notes: string | readonly PortableCriterion[]; words: string; points: number },
  note: Note,
): { type: 'open'; criteria: PortableCriterion[]; words: number | undefined; points: number } {
  const criteria = typeof notes === 'string' ? criteriaOf(notes, points) : [...notes];
  const most = words.trim() === '' ? 0 : Number(words);
  const isLimit = Number.isInteger(most) && most >= 0 && most <= MAX_WORDS;
  if (!isLimit) note('requirement', `${words} words`);
  const sum = criteria.reduce((total, criterion) => total + criterion.points, 0);
  return { type: 'open', criteria, words: isLimit && most > 0 ? most : undefined, points: sum || points };
}
