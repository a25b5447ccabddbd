import type { MarkdownIt, StateBlock } from 'markdown-it';
import type { BlockType, BlockProblem, BlockSet } from './block.ts';
import { closesDirective, type Directive, readDirective } from './directive.ts';

/** Pass it to `parse`. Without `blocks`, lines of colons are ordinary text. */
export type BlockEnv = { blocks?: BlockSet; problems?: BlockProblem[]; open?: BlockUse[] };
/** Stored as `meta` in the token that opens a block. */
export type BlockUse = { name: string; block: BlockType; label: string; attributes: Readonly<Record<string, string>> };

export const BLOCK_OPEN = 'block_open';
export const BLOCK_CLOSE = 'block_close';
/** A block nested deeper stays as typed, so that scanning for the ends of blocks takes linear time. */
const ID = /^[\p{L}\p{N}_-]{1,64}$/u;
const MAX_NESTING = 4;

/** Adds blocks: the leaf and container directives of the CommonMark generic directives proposal. */
export function addBlockRule(markdown: MarkdownIt): void {
  markdown.block.ruler.before('fence', 'block', blockRule, { alt: ['paragraph', 'reference', 'blockquote', 'list'] });
  markdown.renderer.rules[BLOCK_OPEN] = () => '';
  markdown.renderer.rules[BLOCK_CLOSE] = () => '';
}

function blockRule(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  const env = state.env as BlockEnv; // `parse` was called with it
  if (!env.blocks || (state.sCount[startLine] ?? 0) - state.blkIndent >= 4) return false;
  const written = lineOf(state, startLine);
  const directive = readDirective(written);
  const block = directive ? findBlock(directive, startLine, env) : noteUnreadable(written, startLine, env);
  if (!block || !directive) return false;
  if (silent) return true;
  const isLeaf = block.kind === 'leaf';
  const { last, isClosed } = isLeaf
    ? { last: startLine, isClosed: true }
    : findEnd(state, startLine, endLine, directive);
  const opening = state.push(BLOCK_OPEN, '', 1);
  opening.map = [startLine, last + 1];
  const attributes = declared(directive, block, startLine, env);
  const use: BlockUse = { name: directive.name, block, label: directive.label, attributes };
  opening.meta = use;
  if (!isLeaf) parseContent(state, startLine + 1, isClosed ? last : last + 1, use);
  if (!isClosed) env.problems?.push({ kind: 'unclosed', line: startLine + 1, text: directive.name });
  state.push(BLOCK_CLOSE, '', -1);
  state.line = last + 1;
  return true;
}

function lineOf(state: StateBlock, line: number): string {
  return state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line]).trimEnd();
}

/** Returns the block that a line opens. Records why a line that looks like one stays text. */
function findBlock({ name, colons }: Directive, line: number, env: BlockEnv): BlockType | undefined {
  const block = env.blocks?.get(name);
  const kind = colons === 2 ? 'leaf' : 'container';
  const problem = (reason: 'unknown' | 'misplaced') => {
    env.problems?.push({ kind: reason, line: line + 1, text: `${':'.repeat(colons)}${name}` });
    return undefined;
  };
  if (block?.kind !== kind) return problem('unknown');
  const open = env.open ?? [];
  const around = open.at(-1);
  const isElsewhere = block.parent !== undefined && around?.name !== block.parent;
  if (open.length >= MAX_NESTING || isElsewhere || around?.block.holdsBlocks === false) return problem('misplaced');
  return block;
}

/** Records a line that has the name of a block and cannot be read, such as one without its last bracket. */
function noteUnreadable(line: string, at: number, { blocks, problems }: BlockEnv): undefined {
  const [text, name = ''] = (problems && /^:{2,20}[ \t]*([a-z][a-z0-9-]*)/.exec(line)) ?? [];
  if (text !== undefined && blocks?.has(name)) problems?.push({ kind: 'misplaced', line: at + 1, text });
}

/** Finds the closing line; a block without one ends with what contains it, as a code fence does. */
function findEnd(
  state: StateBlock,
  startLine: number,
  endLine: number,
  directive: Directive,
): { last: number; isClosed: boolean } {
  for (let line = startLine + 1; line < endLine; line++) {
    if (!state.isEmpty(line) && (state.sCount[line] ?? 0) < state.blkIndent) return { last: line - 1, isClosed: false };
    if ((state.sCount[line] ?? 0) - state.blkIndent < 4 && closesDirective(lineOf(state, line), directive))
      return { last: line, isClosed: true };
  }
  return { last: endLine - 1, isClosed: false };
}

function parseContent(state: StateBlock, startLine: number, endLine: number, use: BlockUse): void {
  const env = state.env as BlockEnv; // as above
  const { parentType, lineMax } = state;
  env.open = [...(env.open ?? []), use];
  state.parentType = 'root';
  state.lineMax = endLine;
  state.md.block.tokenize(state, startLine, endLine);
  env.open = env.open.slice(0, -1);
  state.parentType = parentType;
  state.lineMax = lineMax;
}

/** Keeps the attributes that the block declares and whose values it accepts. */
function declared(directive: Directive, block: BlockType, line: number, env: BlockEnv): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [key, value] of Object.entries(directive.attributes)) {
    const accepts = Object.hasOwn(block.attributes, key) ? block.attributes[key] : undefined;
    if (key === 'id' ? ID.test(value) : accepts?.(value)) kept[key] = value;
    else env.problems?.push({ kind: 'attribute', line: line + 1, text: `${key}=${value}` });
  }
  return kept;
}
