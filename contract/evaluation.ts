import { z } from 'zod';
import { LocaleCode, text } from './common.ts';

export const EVALUATION_TYPES = ['scale', 'single', 'multiple', 'text'] as const;
export type EvaluationType = (typeof EVALUATION_TYPES)[number];

/** Limits of an evaluation. `steps`: of a scale. `answer`: characters of a typed answer. */
export const EVALUATION_LIMITS = {
  questions: 12,
  question: 500,
  options: 10,
  option: 200,
  steps: 5,
  answer: 1000,
} as const;

const OPTIONS_LENGTH = EVALUATION_LIMITS.options * (EVALUATION_LIMITS.option + 1);
const localised = (max: number, name: string) =>
  z
    .partialRecord(LocaleCode, text({ min: 1, max, name }))
    .describe('Text by language; languages without text are omitted');

export const EvaluationQuestion = z
  .strictObject({
    id: z
      .string()
      .regex(/^[a-z0-9-]{1,36}$/, 'Id must be lower-case letters, digits and hyphens')
      .describe('Answers are counted under it; a new question needs a new id'),
    type: z.enum(EVALUATION_TYPES).describe('scale: 1 to 5 · single, multiple: options · text: a typed answer'),
    text: localised(EVALUATION_LIMITS.question, 'Question').refine(
      (map) => Object.keys(map).length > 0,
      'Question is required',
    ),
    options: localised(OPTIONS_LENGTH, 'Options')
      .default({})
      .describe('One option a line, as many lines in each language; only for single and multiple'),
  })
  .superRefine(({ type, options }, issues) => {
    const refuse = (message: string) => issues.addIssue({ code: 'custom', path: ['options'], message });
    const lists = Object.values(options).map(optionLines);
    if (type === 'scale' || type === 'text') {
      if (lists.length > 0) refuse('Only questions with a choice have options');
      return;
    }
    const [first] = lists;
    const { options: most, option: longest } = EVALUATION_LIMITS;
    if (!first || lists.some(({ length }) => length < 2 || length > most))
      refuse(`Give 2 to ${most} options, one a line`);
    else if (lists.some(({ length }) => length !== first.length)) refuse('Give as many options in each language');
    else if (lists.flat().some(({ length }) => length > longest)) refuse(`An option has at most ${longest} characters`);
  });
export type EvaluationQuestion = z.output<typeof EvaluationQuestion>;

/** The questions to people who completed a journey, in order. */
export const Evaluation = z
  .array(EvaluationQuestion)
  .max(EVALUATION_LIMITS.questions, `At most ${EVALUATION_LIMITS.questions} questions`)
  .refine((questions) => new Set(questions.map(({ id }) => id)).size === questions.length, 'Each id may be given once');
export type Evaluation = z.output<typeof Evaluation>;

/** The options of one language. */
export function optionLines(lines: string): string[] {
  return lines
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter(Boolean);
}

/** The number of answers to choose from: steps of a scale, or options. 0 for a typed answer. */
export function choicesOf({ type, options }: Pick<EvaluationQuestion, 'type' | 'options'>): number {
  if (type === 'text') return 0;
  if (type === 'scale') return EVALUATION_LIMITS.steps;
  return optionLines(Object.values(options)[0] ?? '').length;
}
