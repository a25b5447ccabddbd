import type { Node } from '@tiptap/pm/model';
import { MarkdownSerializer } from 'prosemirror-markdown';
import { serializer as base, targetOf } from '../markdown.ts';
import { closingColons, writeOpening, type Opening } from './directive.ts';

/** The text of a block as it was opened. */
export type Source = {
  text: string;
  /** The white space before it. */
  before: string;
  /** The block before it in the same place. */
  previous: Source | undefined;
  /** Text after it would become part of it. */
  isOpenEnd: boolean;
};

/** The source of blocks that were not edited, which is written back unchanged. */
export class Known {
  tail = '';
  readonly #nodes = new WeakMap<Node, Source>();
  readonly #contents = new Map<string, Source>();

  add(node: Node, source: Source): void {
    this.#nodes.set(node, source);
    const key = keyOf(node);
    if (!this.#contents.has(key)) this.#contents.set(key, source);
  }

  /** Finds a block again also after undoing, which makes an equal node. */
  get(node: Node): Source | undefined {
    return this.#nodes.get(node) ?? this.#contents.get(keyOf(node));
  }
}

const keyOf = (node: Node) => JSON.stringify(node.toJSON());

/** Writes a document as Markdown; blocks that are known as they were. */
export function writeDocument(doc: Node, known = new Known()): string {
  const text = writeBlocks(doc, known);
  return text === '' ? '' : text + known.tail;
}

function writeBlocks(parent: Node, known: Known | undefined): string {
  let text = '';
  let last: Source | undefined;
  let isFirst = true;
  let before = '';
  for (const [index, block] of parent.children.entries()) {
    const source = known?.get(block);
    const isInPlace = source !== undefined && source.previous === last && (isFirst || last !== undefined);
    const isLast = index === parent.childCount - 1;
    // An indented text means something else after another block, and an open end swallows what follows.
    const next = parent.maybeChild(index + 1);
    const after = next && (next.type.name === 'raw' ? next.textContent : (known?.get(next)?.text ?? ''));
    const marks = otherMarks(block, [before, after ?? '']);
    const isFree = !/^\s/.test(source?.text ?? '') && !isMergedInto(before, source?.text ?? '');
    const isKept = source && (isInPlace || isFree) && (isLast || !source.isOpenEnd);
    const written = isKept ? source.text : writeBlock(block, known, marks);
    last = isKept ? source : undefined;
    if (written.trim() === '') continue;
    before = written;
    text += (isKept && isInPlace ? source.before : isFirst ? '' : '\n\n') + written;
    isFirst = false;
  }
  return text;
}

/** The marks of the items of a list. */
type ListMarks = { bullet: string; delimiter: string };
const BULLETS = ['-', '*', '+'];
const DELIMITERS = ['.', ')'];
const MARKS: ListMarks = { bullet: '-', delimiter: '.' };

const markOf = (text: string) => /^ {0,3}(?:([-+*])|\d{1,9}([.)]))(?=\s)/.exec(text)?.slice(1).join('') ?? '';

/** Two lists in a row with the same marks would be one list. */
const isMergedInto = (before: string, text: string) => markOf(text) !== '' && markOf(before) === markOf(text);

/** Marks for a list that neither of its neighbours has, whose texts are given. */
function otherMarks({ type }: Node, neighbours: readonly string[]): ListMarks {
  const taken = type.name.endsWith('List') ? neighbours.map(markOf) : [];
  return {
    bullet: BULLETS.find((mark) => !taken.includes(mark)) ?? '-',
    delimiter: DELIMITERS.find((mark) => !taken.includes(mark)) ?? (taken[0] === '.' ? ')' : '.'),
  };
}

/** Writes one block anew; known blocks inside it as they were. */
export function writeBlock(node: Node, known?: Known, marks = MARKS): string {
  if (node.attrs['name'] === undefined)
    return serializerFor(known, marks).serialize(node.type.schema.node('doc', null, node));
  const opening = node.attrs as Opening; // nodes.ts
  if (node.isLeaf) return writeOpening({ ...opening, colons: 2 });
  const content = writeBlocks(node, known);
  const longest = Math.max(2, ...content.split('\n').map(closingColons));
  const colons = Math.max(Number(opening.colons), longest + 1);
  return [writeOpening({ ...opening, colons }), ...(content === '' ? [] : [content]), ':'.repeat(colons)].join('\n');
}

type Write = MarkdownSerializer['nodes'][string];
/** Members that the serializer's types leave out and its own lists use. */
type Internals = Parameters<Write>[0] & { inTightList: boolean; flushClose(size: number): void };
/** Blocks that need no empty line before them. */
const INTERRUPTS = new Set(['blockquote', 'codeBlock', 'heading', 'frame', 'group', 'quiz', 'leaf']);

function serializerFor(known: Known | undefined, { bullet, delimiter }: ListMarks): MarkdownSerializer {
  const block: Write = (state, node) => {
    state.text(writeBlock(node, known), false);
    state.closeBlock(node);
  };
  const listItem: Write = (state, node) => {
    const { task } = node.attrs;
    if (task !== null) state.write(task ? '[x] ' : '[ ] ');
    for (const [index, child] of node.children.entries()) {
      if (index > 0 && (state as Internals).inTightList && INTERRUPTS.has(child.type.name))
        (state as Internals).flushClose(1);
      state.render(child, node, index);
    }
  };
  return new MarkdownSerializer(
    {
      ...base.nodes,
      bulletList: (state, node) => state.renderList(node, '  ', () => `${bullet} `),
      orderedList(state, node) {
        const first = Number(node.attrs['start'] ?? 1);
        const width = String(first + node.childCount - 1).length + 2;
        state.renderList(node, ' '.repeat(width), (index) => `${first + index}${delimiter} `.padEnd(width));
      },
      listItem,
      frame: block,
      group: block,
      part: block,
      quiz: block,
      leaf: block,
      raw(state, node) {
        state.text(node.textContent, false);
        state.closeBlock(node);
      },
      picture(state, { attrs }) {
        const alt = state.esc(String(attrs['alt']));
        state.write(`![${alt}](${targetOf({ href: attrs['src'], title: attrs['title'] })})`);
      },
      table(state, node) {
        state.text(writeTable(node), false);
        state.closeBlock(node);
      },
    },
    base.marks,
    base.options,
  );
}

const RULES: Record<string, string> = { left: ':---', center: ':---:', right: '---:' };

function writeTable(table: Node): string {
  const [head, ...rows] = table.children.map((row) => row.children);
  const columns = Math.max(...table.children.map(({ childCount }) => childCount));
  const line = (cells: readonly string[]) =>
    `| ${Array.from({ length: columns }, (_, at) => cells[at] ?? '').join(' | ')} |`;
  const rules = (head ?? []).map((cell) => RULES[String(cell.attrs['align'])] ?? '---');
  return [
    line((head ?? []).map(writeCell)),
    line([...rules, ...Array<string>(Math.max(0, columns - rules.length)).fill('---')]),
    ...rows.map((cells) => line(cells.map(writeCell))),
  ].join('\n');
}

function writeCell(cell: Node): string {
  const text = writeBlock(cell.child(0));
  return text.replace(/\\?\n/g, ' ').replaceAll('|', '\\|').trim();
}
