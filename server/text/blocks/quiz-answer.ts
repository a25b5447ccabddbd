import type { Quiz, QuizOption } from './quiz-content.ts';

/** The parts of a question that grading needs. */
export type GradedQuiz = Pick<Quiz, 'type' | 'places' | 'gaps'> & { options: readonly Pick<QuizOption, 'isRight'>[] };
/** Numbers of the chosen options from 1, the typed text, a number for each prompt or item, 0 for none, or a text for each gap. */
export type GivenAnswer = {
  choice: readonly number[];
  text: string;
  places: readonly number[];
  gaps: readonly string[];
};
/**
 * `right` of `total` parts are right: pairs, gaps, or items that directly follow the right one. Other questions have one part.
 * `options` are the chosen ones and `prompts` the answered prompts or gaps; the others stay untold.
 */
export type Verdict = {
  isCorrect: boolean;
  right: number;
  total: number;
  options: { option: number; isCorrect: boolean }[];
  prompts: { prompt: number; isCorrect: boolean }[];
};

/** Checks an answer. Undefined without an answer, or with an option that the question does not have. */
export function checkAnswer(
  quiz: GradedQuiz,
  attributes: Readonly<Record<string, string>>,
  given: GivenAnswer,
): Verdict | undefined {
  switch (quiz.type) {
    case 'matching':
      return isPlaced(quiz, given.places) && given.places.some(Boolean) ? checkMatches(quiz, given.places) : undefined;
    case 'ordering':
      return isPlaced(quiz, given.places) && given.places.some(Boolean) ? checkOrder(quiz, given.places) : undefined;
    case 'gaps':
      return checkGaps(quiz, attributes, given.gaps);
    case 'open':
      // A person marks it.
      return undefined;
    case 'number':
    case 'text':
      if (given.text.trim() === '') return undefined;
      return whole(isAccepted(quiz.type, attributes, given.text));
    default:
      return checkChoice(quiz, given.choice);
  }
}

/** True for places that a question to match or to order can have: one for each prompt or item, 0 for none. */
export function isPlaced({ places, options }: GradedQuiz, given: readonly number[]): boolean {
  const isKnown = (place: number) => Number.isInteger(place) && place >= 0 && place <= options.length;
  return given.length === places.length && given.every(isKnown);
}

function whole(isCorrect: boolean): Verdict {
  return { isCorrect, right: isCorrect ? 1 : 0, total: 1, options: [], prompts: [] };
}

function checkChoice({ options }: GradedQuiz, choice: readonly number[]): Verdict | undefined {
  const chosen = new Set(choice);
  const isKnown = (option: number) => Number.isInteger(option) && option >= 1 && option <= options.length;
  if (chosen.size === 0 || ![...chosen].every(isKnown)) return undefined;
  const isRight = (option: number) => options[option - 1]?.isRight === true;
  const hasRight = options.some((option) => option.isRight);
  return {
    ...whole(hasRight && options.every((option, at) => option.isRight === chosen.has(at + 1))),
    options: [...chosen].sort((a, b) => a - b).map((option) => ({ option, isCorrect: isRight(option) })),
  };
}

function checkMatches({ places }: GradedQuiz, given: readonly number[]): Verdict {
  const prompts = given.flatMap((option, at) =>
    option === 0 ? [] : [{ prompt: at + 1, isCorrect: option === places[at] }],
  );
  const right = prompts.filter(({ isCorrect }) => isCorrect).length;
  return { isCorrect: right === places.length, right, total: places.length, options: [], prompts };
}

function checkGaps(
  { gaps }: GradedQuiz,
  attributes: Readonly<Record<string, string>>,
  given: readonly string[],
): Verdict | undefined {
  if (given.length !== gaps.length || given.every((text) => text.trim() === '')) return undefined;
  const prompts = given.flatMap((text, at) => {
    const own = { ...attributes, answer: gaps[at] ?? '' };
    return text.trim() === '' ? [] : [{ prompt: at + 1, isCorrect: isText(own, text) || isOneNumber(own, text) }];
  });
  const right = prompts.filter(({ isCorrect }) => isCorrect).length;
  return { isCorrect: right === gaps.length, right, total: gaps.length, options: [], prompts };
}

function isAccepted(type: 'number' | 'text', attributes: Readonly<Record<string, string>>, text: string): boolean {
  return type === 'number' ? isOneNumber(attributes, text) : isText(attributes, text);
}

/** Finds the listed answer that a typed one is, whose feedback it gets. */
export function typedMatch<T extends { text: string; isRight: boolean }>(
  { type, typed }: { type: string; typed: readonly T[] },
  attributes: Readonly<Record<string, string>>,
  text: string,
): T | undefined {
  if (type !== 'number' && type !== 'text') return undefined;
  const own = typed.filter((each) => isAccepted(type, { ...attributes, answer: each.text }, text));
  return own.find(({ isRight }) => isRight) ?? own[0];
}

/** Accepts a number however it is written: `1,5` for `1.5`, or Arabic digits. */
function isOneNumber(attributes: Readonly<Record<string, string>>, text: string): boolean {
  return (attributes['answer'] ?? '').split('|').some((answer) => isNumber({ ...attributes, answer }, text));
}

/** Counts neighbours, so that one item in a wrong place does not make all that follow it wrong. */
function checkOrder({ places }: GradedQuiz, given: readonly number[]): Verdict {
  const inOrder = given.map((own, at) => ({ own, at: places[at] ?? 0 })).toSorted((a, b) => a.at - b.at);
  const isClear = (own: number) => own > 0 && given.filter((other) => other === own).length === 1;
  const right = inOrder.filter(({ own }, at) => {
    const before = inOrder[at - 1]?.own ?? 0;
    return isClear(before) && isClear(own) && own === before + 1;
  }).length;
  const total = Math.max(1, places.length - 1);
  return { isCorrect: right === total, right, total, options: [], prompts: [] };
}

function isNumber({ answer = '', tolerance = '0' }: Readonly<Record<string, string>>, text: string): boolean {
  return readNumbers(answer).some((right) => {
    // Decimal fractions have no exact binary value: 0.1 + 0.2 is not 0.3.
    const rounding = 1e-9 * Math.max(1, Math.abs(right));
    return readNumbers(text).some((given) => Math.abs(given - right) <= Number(tolerance) + rounding);
  });
}

/** The values that a number can have: `1,234` is one and a bit in some languages and a thousand in others. */
export function readNumbers(text: string): number[] {
  const digits = text
    .normalize('NFKC')
    .replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x0660))
    .replace(/[۰-۹]/g, (digit) => String(digit.charCodeAt(0) - 0x06f0))
    .replace(/[\u2212\u2012\u2013]/g, '-')
    .replace(/٫/g, '.')
    .replace(/[\s'’٬\u200e\u200f\u061c]/g, '');
  if (!/^[+-]?(?:\d[\d.,]*|[.,]\d+)$/.test(digits)) return [];
  const decimal = (sign: '.' | ',') => {
    const other = sign === '.' ? /,/g : /\./g;
    const whole = digits.split(sign)[0] ?? '';
    const isGrouped = !other.test(digits) || /^[+-]?\d{1,3}(?:[.,]\d{3})+$/.test(whole);
    const value = digits.replace(other, '').replace(sign, '.');
    return isGrouped && /^[+-]?\d*(?:\.\d*)?$/.test(value) ? [Number(value)] : [];
  };
  return [...new Set([...decimal('.'), ...decimal(',')])];
}

function isText(attributes: Readonly<Record<string, string>>, text: string): boolean {
  const folded = (written: string) => fold(written, attributes);
  const given = folded(text);
  return (attributes['answer'] ?? '').split('|').some((right) => right.trim() !== '' && folded(right) === given);
}

/** Voicing marks of Japanese make another letter, so they are no accents. */
const ACCENTS = /(?![\u3099\u309a])\p{Mn}/gu;

function fold(text: string, attributes: Readonly<Record<string, string>>): string {
  const plain = text.normalize('NFKC').replace(/\s+/g, ' ').trim();
  const cased = attributes['case'] === 'true' ? plain : plain.toLowerCase();
  return attributes['accents'] === 'true' ? cased : cased.normalize('NFD').replace(ACCENTS, '').normalize('NFC');
}
