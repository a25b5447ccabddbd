import type { Token } from 'markdown-it';
import type { BlockProblem, BlockSet } from '#server/text/blocks/block.ts';
import { BLOCK_OPEN, type BlockUse } from '#server/text/blocks/block-rule.ts';
import { contentOf } from '#server/text/blocks/render-blocks.ts';
import { readNumbers } from '#server/text/blocks/quiz-answer.ts';
import {
  hasAllGaps,
  keyOf,
  MAX_POINTS,
  pointsOf,
  type Quiz,
  readQuiz,
  tagsOf,
  textOf,
  typeOf,
} from '#server/text/blocks/quiz-content.ts';
import { LESSON_BLOCKS, PAGE_BLOCKS } from '#server/text/blocks/registry.ts';
import { parseMarkdown } from '#server/text/markdown.ts';
import type { Finding, Report } from './check.policy.ts';

/** The blocks of a kind of content; questions are for lessons and the question bank of a course. */
export function blocksOf(kind: string): BlockSet {
  return kind === 'lesson' || kind === 'course' ? LESSON_BLOCKS : PAGE_BLOCKS;
}

const RULES: Record<BlockProblem['kind'], [Finding['rule'], Finding['severity']]> = {
  unknown: ['block-unknown', 'should'],
  misplaced: ['block-unknown', 'must'],
  unclosed: ['block-unclosed', 'must'],
  attribute: ['block-setting', 'should'],
};
/** Blocks whose label is the name of what readers open. */
const TITLED = new Set(['accordion', 'embed', 'tab']);

/** Checks that blocks are written as they are meant, and that questions can be answered. */
export function checkBlocks(source: string, blocks: BlockSet, report: Report): void {
  const problems: BlockProblem[] = [];
  const seen = new Set<string>();
  const parsed = parseMarkdown(source, { blocks, problems });
  for (const at of shownQuestions(parsed)) report('block-unknown', 'must', at);
  for (const { use, line, tokens } of usesIn(parsed)) {
    const text = `:::${use.name}`;
    if (TITLED.has(use.name) && use.label === '') report('block-title', 'must', { line, text });
    if (use.name === 'quiz') checkQuiz(use, readQuiz({ tokens, attributes: use.attributes }), { line, text }, report);
  }
  for (const { kind, line, text } of problems) {
    // A line can be tried as a block more than once.
    if (seen.has(`${kind} ${line} ${text}`)) continue;
    seen.add(`${kind} ${line} ${text}`);
    report(...RULES[kind], { line, text });
  }
}

function checkQuiz(
  { label, attributes }: BlockUse,
  quiz: Quiz,
  at: { line: number; text: string },
  report: Report,
): void {
  if (typeOf(attributes) === undefined)
    report('block-setting', 'should', { ...at, text: `type=${attributes['type'] ?? ''}` });
  if (quiz.question.length === 0 && label === '') report('quiz-question', 'must', at);
  const isTyped = ['number', 'text', 'gaps', 'open'].includes(quiz.type);
  const isFew = quiz.options.length < 2 || (quiz.type === 'matching' && quiz.prompts.length < 2);
  if (!isTyped && isFew) report('quiz-options', 'must', at);
  if (quiz.type === 'gaps' && !hasAllGaps(quiz)) report('quiz-gaps', 'must', at);
  if (quiz.isCut) report('quiz-size', 'must', at);
  const hasPoints = quiz.criteria.every(({ points }) => points > 0) && pointsOf(quiz, attributes) <= MAX_POINTS;
  if (!hasPoints) report('quiz-points', 'must', at);
  // The points of the criteria count, whatever the setting says.
  const isOverruled = attributes['points'] !== undefined && Number(attributes['points']) !== pointsOf(quiz, attributes);
  if (isOverruled) report('block-setting', 'should', { ...at, text: `points=${attributes['points']}` });
  if (!hasAnswer(quiz, attributes)) report('quiz-answer', 'must', at);
}

function hasAnswer(quiz: Quiz, attributes: BlockUse['attributes']): boolean {
  const { answer } = keyOf(quiz, attributes);
  switch (quiz.type) {
    case 'open':
      return true;
    case 'text':
      return answer !== undefined;
    case 'number':
      return (answer ?? '').split('|').some((each) => readNumbers(each).length > 0);
    case 'gaps':
      return quiz.gaps.length > 0 && quiz.gaps.every((gap) => gap.split('|').some((each) => each.trim() !== ''));
    case 'matching':
      return !quiz.places.includes(0);
    case 'ordering':
      // Items with the same text have no order of their own.
      return new Set(quiz.options.map(textOf)).size === quiz.options.length;
    default:
      return quiz.options.some(({ isRight }) => isRight);
  }
}

/** The properties that the questions of a translation share with those of its source text. */
export type QuizShape = { line: number; shape: string; tags: string[] };

/** Lists the questions of a lesson as `type options/right answers`, `type prompts/options` or `open criteria/0`, with points if they have more than one. */
export function quizShapes(source: string): QuizShape[] {
  return usesIn(parseMarkdown(source, { blocks: LESSON_BLOCKS }))
    .filter(({ use }) => use.name === 'quiz')
    .map(({ use, line, tokens }) => {
      const quiz = readQuiz({ tokens, attributes: use.attributes });
      const { type, options, prompts, criteria } = quiz;
      const tags = tagsOf(use.attributes['tags'] ?? '');
      const counts =
        type === 'matching' || type === 'gaps'
          ? [prompts.length, options.length]
          : type === 'open'
            ? [criteria.length, 0]
            : [options.length, options.filter(({ isRight }) => isRight).length];
      const points = pointsOf(quiz, use.attributes);
      return { line, tags, shape: `${type} ${counts.join('/')}${points === 1 ? '' : ` ×${points}`}` };
    });
}

type Use = { use: BlockUse; line: number; tokens: readonly Token[] };

/** Questions inside HTML or indented like code: pages would show them with their key. */
function shownQuestions(tokens: readonly Token[]): { line: number; text: string }[] {
  return tokens
    .filter(({ type }) => type === 'code_block' || type === 'html_block')
    .flatMap(({ content, map }) =>
      content.split('\n').flatMap((written, at) => {
        const [text] = /^[ \t]{0,20}:{2,20}[ \t]{0,20}quiz\b/.exec(written) ?? [];
        return text === undefined ? [] : [{ line: (map?.[0] ?? 0) + at + 1, text: text.trim() }];
      }),
    );
}

function usesIn(tokens: readonly Token[]): Use[] {
  return tokens.flatMap((token, at) =>
    token.type === BLOCK_OPEN
      ? [{ use: token.meta as BlockUse, line: (token.map?.[0] ?? 0) + 1, tokens: contentOf(tokens, at) }]
      : [],
  );
}
