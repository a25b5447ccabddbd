import type { Token } from 'markdown-it';
import type { BlockProblem, BlockSet } from '#server/text/blocks/block.ts';
import { BLOCK_OPEN, type BlockUse } from '#server/text/blocks/block-rule.ts';
import { contentOf } from '#server/text/blocks/render-blocks.ts';
import { readNumbers } from '#server/text/blocks/quiz-answer.ts';
import { type Quiz, readQuiz } from '#server/text/blocks/quiz.ts';
import { LESSON_BLOCKS, PAGE_BLOCKS } from '#server/text/blocks/registry.ts';
import { parseMarkdown } from '#server/text/markdown.ts';
import type { Finding, Report } from './check.policy.ts';

/** The blocks of a kind of content; questions are for lessons only. */
export function blocksOf(kind: string): BlockSet {
  return kind === 'lesson' ? LESSON_BLOCKS : PAGE_BLOCKS;
}

const RULES: Record<BlockProblem['kind'], [Finding['rule'], Finding['severity']]> = {
  unknown: ['block-unknown', 'should'],
  misplaced: ['block-unknown', 'must'],
  unclosed: ['block-unclosed', 'must'],
  attribute: ['block-setting', 'should'],
};
/** Blocks whose label is the name of what readers open. */
const TITLED = new Set(['accordion', 'tab']);

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
  if (quiz.question.length === 0 && label === '') report('quiz-question', 'must', at);
  const isTyped = quiz.type === 'number' || quiz.type === 'text';
  if (!isTyped && quiz.options.length < 2) report('quiz-options', 'must', at);
  const isNumber = quiz.type !== 'number' || readNumbers(attributes['answer'] ?? '').length > 0;
  const hasAnswer = isTyped
    ? attributes['answer'] !== undefined && isNumber
    : quiz.options.some(({ isRight }) => isRight);
  if (!hasAnswer) report('quiz-answer', 'must', at);
}

/** The properties that the questions of a translation share with those of its source text. */
export type QuizShape = { line: number; shape: string };

/** Lists the questions of a lesson as `type options/right answers`. */
export function quizShapes(source: string): QuizShape[] {
  return usesIn(parseMarkdown(source, { blocks: LESSON_BLOCKS }))
    .filter(({ use }) => use.name === 'quiz')
    .map(({ use, line, tokens }) => {
      const { type, options } = readQuiz({ tokens, attributes: use.attributes });
      return { line, shape: `${type} ${options.length}/${options.filter(({ isRight }) => isRight).length}` };
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
