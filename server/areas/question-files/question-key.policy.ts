import {
  decimalOf,
  type Note,
  type PortableCriterion,
  type PortableItem,
  type PortablePair,
  type PortableRemark,
  type PortableQuestion,
} from './question.policy.ts';

/** The part of a question that its type decides, with its general feedback. */
export type QuestionKey = PortableQuestion extends infer T
  ? T extends PortableQuestion
    ? Omit<T, 'name' | 'tags' | 'text' | 'points' | 'hint'>
    : never
  : never;

/** Splits the accepted answers of a setting or a gap. */
export function answersIn(text: string): string[] {
  const answers = text.split('|').map((each) => each.trim());
  return answers.filter((each) => each !== '');
}

/** Accepted answers to type. `*` matches anything in Moodle, which no answer here does. */
export function textKey(
  texts: readonly string[],
  {
    feedback,
    isCaseSensitive,
    remarks = [],
  }: { feedback: string; isCaseSensitive: boolean; remarks?: readonly PortableRemark[] },
  note: Note,
): QuestionKey | undefined {
  const pattern = texts.find((text) => /(?<!\\)\*/.test(text));
  if (pattern !== undefined) note('pattern', pattern);
  const literal = texts.filter((text) => !/(?<!\\)\*/.test(text)).map((text) => text.replaceAll('\\*', '*'));
  const answers = [...new Set(literal.map((text) => text.replace(/\s+/g, ' ').trim()))].filter((text) => text !== '');
  if (answers.some((text) => text.includes('|'))) return void note('inexpressible', '|');
  return { type: 'text', answers, remarks: clean(remarks, note), isCaseSensitive, isAccentSensitive: false, feedback };
}

/** Feedback for answers to type, one for each. Feedback for patterns is noted. */
function clean(remarks: readonly PortableRemark[], note: Note): PortableRemark[] {
  const found = new Map<string, string>();
  for (const { answer, feedback } of remarks) {
    const text = answer.replaceAll('\\*', '\0').replace(/\s+/g, ' ').trim();
    if (feedback.trim() === '' || text === '') continue;
    if (text.includes('*')) note('pattern', answer);
    else if (text.includes('|')) note('feedback', answer);
    else if (!found.has(text)) found.set(text, feedback);
  }
  return [...found].map(([text, feedback]) => ({ answer: text.replaceAll('\0', '*'), feedback }));
}

export function numberKey(
  { number, tolerance, remarks = [] }: { number: string; tolerance: string; remarks?: readonly PortableRemark[] },
  feedback: string,
  note: Note,
): QuestionKey | undefined {
  const answer = decimalOf(number);
  const around = decimalOf(tolerance.trim() === '' ? '0' : tolerance);
  if (answer === undefined || around === undefined)
    return void note('number', `${number.trim()} ± ${tolerance.trim()}`);
  const own = remarks.flatMap((remark) => {
    if (remark.feedback.trim() === '') return [];
    const decimal = decimalOf(remark.answer);
    if (decimal === undefined) note('feedback', remark.answer);
    return decimal === undefined ? [] : [{ answer: decimal, feedback: remark.feedback }];
  });
  const different = new Map(own.toReversed().map((remark) => [remark.answer, remark]));
  return {
    type: 'number',
    answer,
    tolerance: around.replace('-', ''),
    remarks: own.filter((remark) => different.get(remark.answer) === remark),
    feedback,
  };
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
