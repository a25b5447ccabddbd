import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { htmlToLine, htmlToMarkdown, plainToMarkdown } from './html-markdown.format.ts';
import { readQuestionFile, writeQuestionFile } from './question-file.format.ts';
import { readQuestions, writeQuestion } from './question-markdown.format.ts';
import type { PortableQuestion } from './question.policy.ts';

const SIGNS = '~=#{}:\\*_[]<>&$|"\'`()!-+.%;,/?→ñ漢ع0123456789';
const word = fc.string({ unit: fc.constantFrom(...'abcXYZ', ...SIGNS), minLength: 1, maxLength: 8 });
const sentence = fc
  .array(word, { minLength: 1, maxLength: 6 })
  .map((words) => words.join(' '))
  .filter((text) => /[a-z]/i.test(text));
const html = fc
  .tuple(fc.constantFrom('p', 'strong', 'em', 'code', 'blockquote', 'ul'), sentence)
  .map(([name, text]) => {
    const safe = text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
    return name === 'ul' ? `<ul><li>${safe}<li>b</ul>` : `<${name}>${safe}</${name}>`;
  });
/** Markdown as an import makes it. */
const markdown = fc.oneof(
  fc.array(sentence, { minLength: 1, maxLength: 2 }).map((parts) => plainToMarkdown(parts.join('\n\n'))),
  fc.array(html, { minLength: 1, maxLength: 3 }).map((parts) => `Q\n\n${htmlToMarkdown(parts.join(''))}`),
);
const line = fc.oneof(
  sentence.map((text) => plainToMarkdown(text)),
  html.map((text) => htmlToLine(text)).filter((text) => text !== ''),
);
const plainLine = sentence
  .map((text) => text.replaceAll('|', '').replaceAll('->', '').replace(/\s+/g, ' ').trim())
  .filter((text) => text !== '');
const tag = fc.string({ unit: fc.constantFrom(...'abc]\\é1'), minLength: 1, maxLength: 6 });
const decimal = fc
  .tuple(fc.integer({ min: -99_999, max: 99_999 }), fc.constantFrom(1, 10, 1000))
  .map(([value, by]) => String(value / by));

const common = {
  name: plainLine,
  tags: fc.uniqueArray(tag, { maxLength: 3 }),
  text: markdown,
  points: fc.constantFrom(1, 1, 2, 100),
  hint: fc.oneof(fc.constant(''), plainLine),
  feedback: fc.oneof(fc.constant(''), markdown),
};
/** A text without other numbers in brackets. */
const gapText = fc
  .tuple(sentence, sentence)
  .map((parts) => parts.map((part) => part.replace(/[[\]{}]/g, '')))
  .map(([before, after]) => plainToMarkdown(`Q ${before} [1] and [2] ${after}`).replace(/\\\[(\d)\\\]/g, '[$1]'));
const gapAnswers = fc.uniqueArray(plainLine, { minLength: 1, maxLength: 3 });
const option = fc.record(
  { text: line, isRight: fc.boolean(), feedback: fc.oneof(fc.constant(''), markdown) },
  { noNullPrototype: true },
);
const record = <T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }) => fc.record(model, { noNullPrototype: true });
/** Feedback of accepted answers first, as files have it. */
const inOrder = (answers: readonly string[], remarks: { answer: string; feedback: string }[]) => [
  ...answers.flatMap((answer) => remarks.filter((remark) => remark.answer === answer)),
  ...remarks.filter(({ answer }) => !answers.includes(answer)),
];
const question: fc.Arbitrary<PortableQuestion> = fc.oneof(
  record({
    ...common,
    type: fc.constant('choice' as const),
    options: fc
      .array(option, { minLength: 2, maxLength: 5 })
      .filter((options) => options.some(({ isRight }) => isRight)),
  }),
  record({ ...common, type: fc.constant('true-false' as const), answer: fc.boolean() }),
  record({
    ...common,
    type: fc.constant('matching' as const),
    pairs: fc.array(record({ prompt: line, answer: line, feedback: fc.oneof(fc.constant(''), markdown) }), {
      minLength: 2,
      maxLength: 5,
    }),
    others: fc.uniqueArray(line, { maxLength: 2 }),
  }).filter(({ pairs, others }) => {
    const answers = new Set(pairs.map(({ answer }) => answer));
    return answers.size > 1 && !others.some((other) => answers.has(other));
  }),
  record({
    ...common,
    text: gapText,
    type: fc.constant('gaps' as const),
    gaps: fc.array(record({ answers: gapAnswers, feedback: fc.oneof(fc.constant(''), markdown) }), {
      minLength: 2,
      maxLength: 2,
    }),
    isCaseSensitive: fc.boolean(),
    isAccentSensitive: fc.boolean(),
  }),
  record({
    ...common,
    type: fc.constant('ordering' as const),
    items: fc.uniqueArray(record({ text: line, feedback: fc.oneof(fc.constant(''), markdown) }), {
      minLength: 2,
      maxLength: 12,
      selector: ({ text }) => text,
    }),
  }),
  record({
    ...common,
    type: fc.constant('number' as const),
    answer: fc.oneof(fc.constant('1'), decimal),
    remarks: fc.uniqueArray(record({ answer: fc.oneof(fc.constant('1'), decimal), feedback: markdown }), {
      maxLength: 2,
      selector: ({ answer }) => answer,
    }),
    tolerance: fc.constantFrom('0', '0.5', '0.001', '2'),
  }).map((own) => ({ ...own, remarks: inOrder([own.answer], own.remarks) })),
  record({
    ...common,
    type: fc.constant('text' as const),
    answers: fc.uniqueArray(fc.oneof(fc.constant('a'), plainLine), { minLength: 1, maxLength: 3 }),
    remarks: fc.uniqueArray(record({ answer: fc.oneof(fc.constant('a'), plainLine), feedback: markdown }), {
      maxLength: 2,
      selector: ({ answer }) => answer,
    }),
    isCaseSensitive: fc.boolean(),
    isAccentSensitive: fc.boolean(),
  }).map((own) => ({ ...own, remarks: inOrder(own.answers, own.remarks) })),
  record({
    ...common,
    type: fc.constant('open' as const),
    criteria: fc.array(record({ text: line, points: fc.constantFrom(1, 2, 10) }), { maxLength: 3 }),
    words: fc.constantFrom(undefined, 1, 300),
  }).map((own) => ({ ...own, points: own.criteria.reduce((sum, { points }) => sum + points, 0) || own.points })),
);

/** The losses of each format, as docs/decisions/0024-question-files.md lists them. */
function kept(format: string, whole: PortableQuestion): PortableQuestion[] {
  const own = format === 'gift' ? { ...whole, points: 1, hint: '' } : whole;
  if (own.type === 'gaps') {
    if (format === 'gift') return [];
    const gaps = format === 'csv' ? own.gaps : own.gaps.map(({ answers }) => ({ answers, feedback: '' }));
    return [{ ...own, gaps, isAccentSensitive: format !== 'moodle' && own.isAccentSensitive }];
  }
  if (own.type === 'ordering' && format === 'gift') return [];
  if (own.type === 'open' && format === 'gift') return [{ ...own, criteria: [], words: undefined }];
  if (own.type === 'ordering' && format === 'moodle')
    return [{ ...own, items: own.items.map(({ text }) => ({ text, feedback: '' })) }];
  if (own.type === 'matching' && (format === 'gift' || format === 'moodle')) {
    if (format === 'gift' && own.pairs.some(({ prompt }) => prompt.includes('->'))) return [];
    const pairs = own.pairs.map((pair) => ({ ...pair, feedback: '' }));
    return [{ ...own, pairs, others: format === 'gift' ? [] : own.others }];
  }
  if (own.type === 'number') return [format === 'qti' ? { ...own, remarks: [] } : own];
  if (own.type !== 'text' || format === 'csv') return [own];
  if (format === 'qti') return [{ ...own, remarks: [] }];
  return [{ ...own, isAccentSensitive: false, isCaseSensitive: format === 'moodle' && own.isCaseSensitive }];
}

/** A quotation at the end of a question with an answer to type is its feedback. */
function isExpressible({ type, text, feedback }: PortableQuestion): boolean {
  return !/^(?:true-false|number|text|open)$/.test(type) || feedback !== '' || !/(?:^|\n)>[^\n]*$/.test(text);
}

describe('the formats of questions', () => {
  it.each(['gift', 'moodle', 'qti', 'csv'] as const)('%s gives back what was written', async (format) => {
    await fc.assert(
      fc.asyncProperty(fc.array(question, { minLength: 1, maxLength: 3 }), async (questions) => {
        const bytes = await writeQuestionFile(format, questions);
        const { questions: read, problems } = await readQuestionFile('file', bytes);
        expect(problems).toEqual([]);
        expect(read.map((each) => each.question)).toEqual(questions.flatMap((each) => kept(format, each)));
      }),
      { numRuns: 150 },
    );
  });

  it('are blocks of a lesson that are read as they were written', () => {
    fc.assert(
      fc.property(question.filter(isExpressible), (own) => {
        expect(readQuestions(writeQuestion(own) ?? '')).toEqual([own]);
      }),
      { numRuns: 300 },
    );
  });
});
