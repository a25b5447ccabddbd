import type { StateBlock } from 'markdown-it';
import { createTokenizer } from '../markdown.ts';
import { BLOCK_TYPES, isBlockName, type BlockName } from './block-types.ts';
import { closingColons, readOpening, type Opening } from './directive.ts';

/** The part of markdown-it's environment that blocks need: the blocks around the parsed lines, the outermost first. */
export type Around = { open: readonly BlockName[]; references?: References };
type References = NonNullable<Parameters<ReturnType<typeof createTokenizer>['parse']>[1]>['references'];

/** A block found by the tokenizer; its content is parsed separately, from `first` to before `end`. */
export type FoundBlock = { opening: Opening; name: BlockName; first: number; end: number; isClosed: boolean };

const MAX_NESTING = 4;
const MAX_FORMULA_LINES = 200;
const TASK = /^\[([ xX])\]\s+/;
const ALTERNATIVES = { alt: ['paragraph', 'reference', 'blockquote', 'list'] };

/** The Markdown of lessons and articles: blocks, formulas, task lists and the alignment of cells. */
export const tokenizer = createTokenizer();
tokenizer.block.ruler.before('fence', 'formula', formulaRule, ALTERNATIVES);
tokenizer.block.ruler.before('fence', 'block', blockRule, ALTERNATIVES);
tokenizer.renderer.rules['directive'] = () => '';
// Formulas stay Markdown: the editor has no node for them.
tokenizer.inline.ruler.before('escape', 'formula', (state, silent) => {
  const end = state.src.startsWith('$$', state.pos) ? state.src.indexOf('$$', state.pos + 2) : -1;
  if (end === -1 || state.src.slice(state.pos + 2, end).trim() === '') return false;
  if (!silent) state.push('formula', '', 0);
  state.pos = end + 2;
  return true;
});
tokenizer.core.ruler.push('tasks', ({ tokens }) => {
  for (const [at, token] of tokens.entries()) {
    if (token.type !== 'list_item_open' || tokens[at + 1]?.type !== 'paragraph_open') continue;
    const first = tokens[at + 2]?.children?.[0];
    const [text, mark] = (first?.type === 'text' && TASK.exec(first.content)) || [];
    if (!first || text === undefined) continue;
    first.content = first.content.slice(text.length);
    token.attrSet('data-task', mark === ' ' ? 'open' : 'done');
  }
});
// Cells hold a paragraph in the editor; a hidden one renders nothing.
tokenizer.core.ruler.push('cells', (state) => {
  state.tokens = state.tokens.flatMap((token) => {
    if (!/^t[hd]_(?:open|close)$/.test(token.type)) return [token];
    const paragraph = new state.Token(token.nesting === 1 ? 'paragraph_open' : 'paragraph_close', 'p', token.nesting);
    paragraph.hidden = true;
    paragraph.level = token.level + 1;
    return token.nesting === 1 ? [token, paragraph] : [paragraph, token];
  });
});

const lineOf = (state: StateBlock, line: number) =>
  state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line]).trimEnd();
const indentOf = (state: StateBlock, line: number) => (state.sCount[line] ?? 0) - state.blkIndent;

function blockRule(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  if (indentOf(state, startLine) >= 4) return false;
  const opening = readOpening(lineOf(state, startLine));
  const { open = [] } = state.env as Partial<Around>; // open.ts parses with it
  if (!opening || !isBlockName(opening.name)) return false;
  const { kind, parent } = BLOCK_TYPES[opening.name];
  const around = open.at(-1);
  const isElsewhere = parent !== undefined && parent !== around;
  if ((kind === 'leaf') !== (opening.colons === 2) || isElsewhere || open.length >= MAX_NESTING || around === 'quiz')
    return false;
  if (silent) return true;
  const { end, isClosed } =
    kind === 'leaf' ? { end: startLine, isClosed: true } : findEnd(state, startLine, endLine, opening.colons);
  const next = isClosed ? end + 1 : end;
  const token = state.push('directive', '', 0);
  token.map = [startLine, next];
  const found: FoundBlock = { opening, name: opening.name, first: startLine + 1, end, isClosed };
  token.meta = found;
  state.line = next;
  return true;
}

/** The closing line, or the line after the last one of a block without. */
function findEnd(state: StateBlock, startLine: number, endLine: number, colons: number) {
  for (let line = startLine + 1; line < endLine; line++) {
    if (!state.isEmpty(line) && indentOf(state, line) < 0) return { end: line, isClosed: false };
    if (indentOf(state, line) < 4 && closingColons(lineOf(state, line)) >= colons) return { end: line, isClosed: true };
  }
  return { end: endLine, isClosed: false };
}

/** `$$` to `$$` without an empty line between, as server/text/markdown-rules.ts reads it. */
function formulaRule(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  const first = lineOf(state, startLine);
  if (indentOf(state, startLine) >= 4 || !first.startsWith('$$')) return false;
  const lines = [first.slice(2)];
  for (let line = startLine; !lines.at(-1)?.endsWith('$$');) {
    line += 1;
    if (line >= endLine || lines.length > MAX_FORMULA_LINES || state.isEmpty(line) || indentOf(state, line) < 0)
      return false;
    lines.push(lineOf(state, line));
  }
  const source = lines.join('\n').slice(0, -2).trim();
  if (source === '' || source.includes('$$')) return false;
  if (silent) return true;
  const token = state.push('formula', '', 0);
  token.map = [startLine, startLine + lines.length];
  state.line = startLine + lines.length;
  return true;
}
