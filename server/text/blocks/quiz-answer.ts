import type { Quiz, QuizOption } from './quiz.ts';

/** The parts of a question that grading needs. */
export type GradedQuiz = Pick<Quiz, 'type'> & { options: readonly Pick<QuizOption, 'isRight'>[] };
/** Numbers of the chosen options from 1, or the typed text. */
export type GivenAnswer = { choice: readonly number[]; text: string };
/** `options` are the chosen ones; the others stay untold. */
export type Verdict = { isCorrect: boolean; options: { option: number; isCorrect: boolean }[] };

/** Checks an answer. Undefined without an answer, or with an option that the question does not have. */
export function checkAnswer(
  quiz: GradedQuiz,
  attributes: Readonly<Record<string, string>>,
  given: GivenAnswer,
): Verdict | undefined {
  if (quiz.type === 'number' || quiz.type === 'text') {
    if (given.text.trim() === '') return undefined;
    const isCorrect = quiz.type === 'number' ? isNumber(attributes, given.text) : isText(attributes, given.text);
    return { isCorrect, options: [] };
  }
  const chosen = new Set(given.choice);
  const isKnown = (option: number) => Number.isInteger(option) && option >= 1 && option <= quiz.options.length;
  if (chosen.size === 0 || ![...chosen].every(isKnown)) return undefined;
  const isRight = (option: number) => quiz.options[option - 1]?.isRight === true;
  const hasRight = quiz.options.some((option) => option.isRight);
  return {
    isCorrect: hasRight && quiz.options.every((option, at) => option.isRight === chosen.has(at + 1)),
    options: [...chosen].sort((a, b) => a - b).map((option) => ({ option, isCorrect: isRight(option) })),
  };
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
