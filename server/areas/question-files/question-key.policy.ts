import {
  decimalOf,
  type Note,
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
