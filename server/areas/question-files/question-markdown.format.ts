import { isDeepStrictEqual } from 'node:util';
import type { Token } from 'markdown-it';
import { BLOCK_OPEN, type BlockUse } from '#server/text/blocks/block-rule.ts';
import { writeLabel, writeValue } from '#server/text/blocks/directive.ts';
import { readNumbers } from '#server/text/blocks/quiz-answer.ts';
import {
  hasAllGaps,
  keyOf,
  pointsOf,
  type Quiz,
  readQuiz,
  tagsOf,
  textOf,
  wordsOf,
} from '#server/text/blocks/quiz-content.ts';
import { LESSON_BLOCKS } from '#server/text/blocks/registry.ts';
import { contentOf } from '#server/text/blocks/render-blocks.ts';
import { parseMarkdown } from '#server/text/markdown.ts';
import { plainToMarkdown, prefixed } from './html-markdown.format.ts';
import { answersIn } from './question-key.policy.ts';
import {
  type Common,
  decimalOf,
  type PortableItem,
  type PortableOption,
  type PortableQuestion,
  type PortableRemark,
} from './question.policy.ts';

/** Reads the questions of a lesson. One without a right answer is undefined. */
export function readQuestions(source: string): (PortableQuestion | undefined)[] {
  const lines = source.split('\n');
  const tokens = parseMarkdown(source, { blocks: LESSON_BLOCKS });
  return tokens.flatMap((token, at) => {
    const use = token.type === BLOCK_OPEN ? (token.meta as BlockUse) : undefined; // set by the rule of blocks
    return use?.name === 'quiz' ? [toQuestion(use, contentOf(tokens, at), lines)] : [];
  });
}

function toQuestion(
  { label, attributes }: BlockUse,
  tokens: readonly Token[],
  lines: readonly string[],
): PortableQuestion | undefined {
  const quiz = readQuiz({ tokens, attributes });
  const common = {
    name: label,
    tags: tagsOf(attributes['tags'] ?? ''),
    points: pointsOf(quiz, attributes),
    hint: (attributes['hint'] ?? '').replace(/\s+/g, ' ').trim(),
    text: sourceOf([...quiz.question, ...quiz.more], lines),
    feedback: feedbackOf(quiz.feedback, lines),
  };
  if (quiz.type === 'choice') {
    const options = quiz.options.map(({ text, isRight, feedback }) => ({
      text: lineOf(text),
      isRight,
      feedback: feedbackOf(feedback, lines),
    }));
    return options.length > 1 && options.some(({ isRight }) => isRight)
      ? { ...common, type: 'choice', options }
      : undefined;
  }
  if (quiz.type === 'matching') return withPairs(common, quiz, lines);
  if (quiz.type === 'ordering') return withItems(common, quiz, lines);
  if (quiz.type === 'gaps') return withGaps(common, quiz, attributes, lines);
  return quiz.type === 'open'
    ? withCriteria(common, quiz, attributes)
    : withKey(common, { ...quiz, type: quiz.type }, attributes, lines);
}

function withCriteria(
  common: Common,
  quiz: Quiz,
  attributes: Readonly<Record<string, string>>,
): PortableQuestion | undefined {
  const criteria = quiz.criteria.map(({ text, points }) => ({
    text: lineOf(text).replace(/^\[\d{1,3}\]\s+/, ''),
    points,
  }));
  if (quiz.isCut || criteria.some(({ text, points }) => text === '' || points === 0)) return undefined;
  return { ...common, type: 'open', criteria, words: wordsOf(attributes) };
}

function withPairs(common: Common, quiz: Quiz, lines: readonly string[]): PortableQuestion | undefined {
  if (quiz.prompts.length < 2 || quiz.options.length < 2 || quiz.places.includes(0) || quiz.isCut) return undefined;
  const answerAt = (at: number) => lineOf(quiz.options[at - 1]?.text ?? []);
  const pairs = quiz.prompts.map(({ text, feedback }, at) => ({
    prompt: lineOf(text),
    answer: answerAt(quiz.places[at] ?? 0),
    feedback: feedbackOf(feedback, lines),
  }));
  const others = quiz.options.filter((_, at) => !quiz.places.includes(at + 1)).toSorted((a, b) => a.line - b.line);
  return { ...common, type: 'matching', pairs, others: others.map(({ text }) => lineOf(text)) };
}

function withItems(common: Common, quiz: Quiz, lines: readonly string[]): PortableQuestion | undefined {
  const isClear = new Set(quiz.options.map(textOf)).size === quiz.options.length;
  if (quiz.options.length < 2 || !isClear || quiz.isCut) return undefined;
  const items = quiz.options
    .toSorted((a, b) => a.line - b.line)
    .map(({ text, feedback }) => ({ text: lineOf(text), feedback: feedbackOf(feedback, lines) }));
  return { ...common, type: 'ordering', items };
}

function withGaps(
  common: Common,
  quiz: Quiz,
  attributes: Readonly<Record<string, string>>,
  lines: readonly string[],
): PortableQuestion | undefined {
  if (!hasAllGaps(quiz) || quiz.isCut) return undefined;
  const gaps = quiz.gaps.map((gap, at) => ({
    answers: answersIn(gap),
    feedback: feedbackOf(quiz.prompts[at]?.feedback ?? [], lines),
  }));
  if (gaps.length === 0 || gaps.some(({ answers }) => answers.length === 0)) return undefined;
  const text = common.text.replace(/\\\[(\d{1,2})\\\]/g, '[$1]');
  return { ...common, text, type: 'gaps', gaps, ...sensitivityOf(attributes) };
}

const sensitivityOf = (attributes: Readonly<Record<string, string>>) => ({
  isCaseSensitive: attributes['case'] === 'true',
  isAccentSensitive: attributes['accents'] === 'true',
});

function withKey(
  common: Common,
  { type, typed }: Pick<Quiz, 'typed'> & { type: 'true-false' | 'number' | 'text' },
  attributes: Readonly<Record<string, string>>,
  lines: readonly string[],
): PortableQuestion | undefined {
  const { answer } = keyOf({ typed }, attributes);
  if (answer === undefined) return undefined;
  if (type === 'true-false')
    return answer === 'true' || answer === 'false' ? { ...common, type, answer: answer === 'true' } : undefined;
  const remarks = typed.flatMap(({ text, feedback }) => {
    const told = feedbackOf(feedback, lines);
    return told === '' ? [] : answersIn(text).map((each) => ({ answer: each, feedback: told }));
  });
  if (type === 'number') {
    const [first = '', ...others] = answersIn(answer);
    const [number] = readNumbers(first);
    if (others.length > 0) return undefined;
    const decimal = number === undefined ? undefined : decimalOf(String(number));
    const tolerance = decimalOf(attributes['tolerance'] ?? '0');
    return decimal === undefined || tolerance === undefined
      ? undefined
      : { ...common, type, answer: decimal, tolerance, remarks: remarks.flatMap(withDecimal) };
  }
  return { ...common, type, answers: answersIn(answer), remarks, ...sensitivityOf(attributes) };
}

function withDecimal({ answer, feedback }: PortableRemark): PortableRemark[] {
  const [number] = readNumbers(answer);
  const decimal = number === undefined ? undefined : decimalOf(String(number));
  return decimal === undefined ? [] : [{ answer: decimal, feedback }];
}

/** The lines of the source that some tokens came from, without their common indentation. */
function sourceOf(tokens: readonly Token[], lines: readonly string[]): string {
  const maps = tokens.flatMap(({ map }) => (map ? [map] : []));
  if (maps.length === 0) return '';
  const start = maps.reduce((least, [from]) => Math.min(least, from), lines.length);
  const end = maps.reduce((most, [, to]) => Math.max(most, to), 0);
  return dedented(lines.slice(start, end)).trim();
}

function dedented(lines: readonly string[]): string {
  const indents = lines.filter((line) => line.trim() !== '').map((line) => /^[ \t]*/.exec(line)?.[0].length ?? 0);
  const least = indents.reduce((most, indent) => Math.min(most, indent), indents[0] ?? 0);
  return lines.map((line) => line.slice(least).trimEnd()).join('\n');
}

/** Feedback may stand in a quotation, which is no part of it. */
function feedbackOf(tokens: readonly Token[], lines: readonly string[]): string {
  const source = sourceOf(tokens, lines);
  const isQuotation =
    tokens[0]?.type === 'blockquote_open' &&
    tokens.findIndex(({ type, level }) => type === 'blockquote_close' && level === tokens[0]?.level) ===
      tokens.length - 1;
  if (!isQuotation) return source;
  return dedented(source.split('\n').map((line) => line.replace(/^\s{0,3}> ?/, ''))).trim();
}

function lineOf([token]: readonly Token[]): string {
  return (token?.content ?? '').replace(/^\[[ xX]\]\s+/, '').trim();
}

/** Writes a question as a block. Undefined for one that would not be read back the same. */
export function writeQuestion(question: PortableQuestion): string | undefined {
  // After a list, the options need another mark to be a list of their own.
  const marks = question.type === 'ordering' || question.type === 'gaps' ? ['.', ')'] : ['-', '*'];
  return marks.map((mark) => blockOf(question, mark)).find((text) => isOnly(question, text));
}

function isOnly(question: PortableQuestion, text: string): boolean {
  const [read, ...others] = readQuestions(text);
  return others.length === 0 && isDeepStrictEqual(read, question);
}

function blockOf(question: PortableQuestion, mark: string): string {
  const parts = [question.text];
  parts.push(listOf(question, mark).join('\n'));
  if (question.feedback !== '') parts.push(prefixed(question.feedback, '> ', '> '));
  const content = parts.filter((part) => part !== '').join('\n\n');
  const colons = [...content.matchAll(/:{3,}/g)].reduce((most, [run]) => Math.max(most, run.length), 2) + 1;
  const fence = ':'.repeat(colons);
  const label = question.name === '' ? '' : `[${writeLabel(question.name)}]`;
  return `${fence}quiz${label}${attributesOf(question)}\n${content}\n${fence}\n`;
}

/** The list with the key of a question; empty for one with an answer to type. */
function listOf(question: PortableQuestion, mark: string): string[] {
  switch (question.type) {
    case 'choice':
      return question.options.map((option) => optionLines(option, mark));
    case 'matching':
      return [
        ...question.pairs.map(({ prompt, answer, feedback }) => {
          const lines = [prefixed(`${mark} ${prompt}`, '', '  '), prefixed(`${mark} [x] ${answer}`, '  ', '    ')];
          return [...lines, ...(feedback === '' ? [] : [prefixed(feedback, '  > ', '  > ')])].join('\n');
        }),
        ...question.others.map((answer) => prefixed(`${mark} [ ] ${answer}`, '', '  ')),
      ];
    case 'ordering':
      return question.items.map((item, at) => itemLines(item, `${at + 1}${mark} `));
    case 'gaps':
      return question.gaps.map(({ answers, feedback }, at) =>
        itemLines({ text: plainToMarkdown(answers.join(' | ')), feedback }, `${at + 1}${mark} `),
      );
    case 'number':
      return typedLines([question.answer], question.remarks, { mark, written: unambiguous });
    case 'text':
      return typedLines(question.answers, question.remarks, { mark, written: plainToMarkdown });
    case 'open':
      return question.criteria.map(({ text, points }) => prefixed(`${mark} [${points}] ${text}`, '', '  '));
    default:
      return [];
  }
}

/** Answers to type are a list if one of them has feedback, else a setting. */
function typedLines(
  answers: readonly string[],
  remarks: readonly PortableRemark[],
  { mark, written }: { mark: string; written: (answer: string) => string },
): string[] {
  if (remarks.length === 0) return [];
  const of = (answer: string) => remarks.find((remark) => remark.answer === answer)?.feedback ?? '';
  const wrong = remarks.filter(({ answer }) => !answers.includes(answer));
  return [
    ...answers.map((answer) => optionLines({ text: written(answer), isRight: true, feedback: of(answer) }, mark)),
    ...wrong.map(({ answer, feedback }) => optionLines({ text: written(answer), isRight: false, feedback }, mark)),
  ];
}

function itemLines({ text, feedback }: PortableItem, mark: string): string {
  const indent = ' '.repeat(mark.length);
  const line = prefixed(mark + text, '', indent);
  return feedback === '' ? line : `${line}\n${prefixed(feedback, `${indent}> `, `${indent}> `)}`;
}

function optionLines({ text, isRight, feedback }: PortableOption, bullet: string): string {
  const line = prefixed(`${bullet} [${isRight ? 'x' : ' '}] ${text}`, '', '  ');
  return feedback === '' ? line : `${line}\n${prefixed(feedback, '  > ', '  > ')}`;
}

function attributesOf(question: PortableQuestion): string {
  const found: [string, string][] = question.type === 'choice' ? [] : [['type', question.type]];
  if (question.type === 'true-false') found.push(['answer', String(question.answer)]);
  if (question.type === 'number') {
    if (question.remarks.length === 0) found.push(['answer', unambiguous(question.answer)]);
    if (question.tolerance !== '0') found.push(['tolerance', question.tolerance]);
  }
  if (question.type === 'text' && question.remarks.length === 0) found.push(['answer', question.answers.join('|')]);
  if (question.type === 'text' || question.type === 'gaps') {
    if (question.isCaseSensitive) found.push(['case', 'true']);
    if (question.isAccentSensitive) found.push(['accents', 'true']);
  }
  if (question.hint !== '') found.push(['hint', question.hint]);
  if (question.type === 'open' && question.words !== undefined) found.push(['words', String(question.words)]);
  const hasCriteria = question.type === 'open' && question.criteria.length > 0; // their points are its points
  if (question.points > 1 && !hasCriteria) found.push(['points', String(question.points)]);
  if (question.tags.length > 0) found.push(['tags', question.tags.join(', ')]);
  return found.length === 0 ? '' : `{${found.map(([name, value]) => `${name}=${quoted(value)}`).join(' ')}}`;
}

/** A point before three digits may also group thousands; a further zero makes it decimal. */
function unambiguous(decimal: string): string {
  return /^-?\d{1,3}\.\d{3}$/.test(decimal) ? `${decimal}0` : decimal;
}

function quoted(value: string): string {
  if (/^[a-z0-9.-]+$/i.test(value)) return value;
  return writeValue(value);
}
