import type { MarkdownIt, StateBlock, StateInline } from 'markdown-it';
import { escapeHtml } from './html.ts';
import { TASK_MARKS } from './task-marks.ts';

const TASK = /^\[([ xX])\](?=\s)/;
/** Lines of a formula; a longer one is not recognised, so that scanning for its end stays cheap. */
const MAX_FORMULA_LINES = 200;
/** Columns of a table; a wider one stays as typed, because each short row of it would be filled with empty cells. */
const MAX_COLUMNS = 100;

/** Adds what lessons use beyond CommonMark: formulas between `$$` and task lists. Formulas show their source as code. */
export function addRules(markdown: MarkdownIt): void {
  markdown.inline.ruler.before('escape', 'math_inline', mathInline);
  markdown.block.ruler.before('fence', 'math_block', mathBlock, {
    alt: ['paragraph', 'reference', 'blockquote', 'list'],
  });
  markdown.block.ruler.before('table', 'wide_table', wideTable);
  const code = (source: string) => `<code class="math">${escapeHtml(source)}</code>`;
  markdown.renderer.rules['math_inline'] = (tokens, at) => code(tokens[at]?.content ?? '');
  markdown.renderer.rules['math_block'] = (tokens, at) => `<pre>${code(tokens[at]?.content ?? '')}</pre>\n`;
  markdown.core.ruler.push('task_list', (state) => {
    for (const [at, token] of state.tokens.entries()) {
      if (token.type !== 'list_item_open' || state.tokens[at + 1]?.type !== 'paragraph_open') continue;
      const first = state.tokens[at + 2]?.children?.[0];
      const mark = first?.type === 'text' && TASK.exec(first.content)?.[1];
      if (first && mark) first.content = (mark === ' ' ? TASK_MARKS.open : TASK_MARKS.done) + first.content.slice(3);
    }
  });
}

/** Turns the two first lines of a table with too many columns into a paragraph. */
function wideTable(state: StateBlock, startLine: number, endLine: number): boolean {
  const second = startLine + 1;
  if (second >= endLine) return false;
  const delimiters = state.src.slice(state.bMarks[second], state.eMarks[second]);
  if (delimiters.split('|').length - 2 <= MAX_COLUMNS || !/^[\s>|:-]*$/.test(delimiters)) return false;
  const content = state.getLines(startLine, second + 1, state.blkIndent, false).trim();
  state.line = second + 1;
  state.push('paragraph_open', 'p', 1).map = [startLine, state.line];
  const inline = state.push('inline', '', 0);
  inline.content = content;
  inline.children = [];
  state.push('paragraph_close', 'p', -1);
  return true;
}

function mathInline(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state;
  if (!src.startsWith('$$', pos)) return false;
  const end = src.indexOf('$$', pos + 2);
  const source = end === -1 ? '' : src.slice(pos + 2, end).trim();
  if (source === '') return false;
  if (!silent) {
    const token = state.push('math_inline', 'code', 0);
    token.attrs = [['class', 'math']];
    token.content = source;
  }
  state.pos = end + 2;
  return true;
}

function mathBlock(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  const lineOf = (line: number) =>
    state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line]).trimEnd();
  if ((state.sCount[startLine] ?? 0) - state.blkIndent >= 4) return false;
  const first = lineOf(startLine);
  if (!first.startsWith('$$')) return false;
  const lines = [first.slice(2)];
  let line = startLine;
  while (!lines.at(-1)?.endsWith('$$')) {
    line += 1;
    const isOver = line >= endLine || line - startLine > MAX_FORMULA_LINES || state.isEmpty(line);
    if (isOver || (state.sCount[line] ?? 0) < state.blkIndent) return false;
    lines.push(lineOf(line));
  }
  const source = lines.join('\n').slice(0, -2).trim();
  // `$$a$$ and $$b$$` is a paragraph with two formulas.
  if (source === '' || source.includes('$$')) return false;
  if (silent) return true;
  const token = state.push('math_block', 'code', 0);
  token.attrs = [['class', 'math']];
  token.content = source;
  token.map = [startLine, line + 1];
  state.line = line + 1;
  return true;
}

/** Labels of task marks in the language of the text. */
export type TaskLabels = { open: string; done: string };

/** Gives the marks of task lists in sanitised HTML a class and, for screen readers, a name. */
export function markTasks(html: string, labels: TaskLabels | undefined): string {
  if (!html.includes(TASK_MARKS.open) && !html.includes(TASK_MARKS.done)) return html;
  return html.replace(
    /<li((?: [^>]*)?)>(\s*<p(?: [^>]*)?>)?([☐☑])(?=\s)/g,
    (_, attributes: string, paragraph: string | undefined, mark: string) => {
      const label = labels && (mark === TASK_MARKS.done ? labels.done : labels.open);
      const name = label === undefined ? '' : ` role="img" aria-label="${escapeHtml(label)}"`;
      return `<li${attributes} class="task">${paragraph ?? ''}<span class="task-mark"${name}>${mark}</span>`;
    },
  );
}
