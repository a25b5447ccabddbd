import type { Node, Schema } from '@tiptap/pm/model';
import type { MarkdownIt, Token } from 'markdown-it';
import { MarkdownParser, type ParseSpec } from 'prosemirror-markdown';
import { TOKENS } from '../markdown.ts';
import { nodeNameOf } from './block-types.ts';
import { tokenizer, type Around, type FoundBlock } from './tokenizer.ts';
import { Known, writeBlock, type Source } from './write.ts';

/** A text opened in the editor: its document, and the source of every block of it. */
export type OpenedDocument = { doc: Node; known: Known };

const alignment = ({ attrs }: Token) => ({
  align: /text-align:(\w+)/.exec(String(attrs?.find(([name]) => name === 'style')?.[1] ?? ''))?.[1] ?? null,
});

const DOCUMENT_TOKENS: Record<string, ParseSpec> = {
  ...TOKENS,
  list_item: {
    block: 'listItem',
    getAttrs: (token) => ({ task: { open: false, done: true }[String(token.attrGet('data-task'))] ?? null }),
  },
  table: { block: 'table' },
  thead: { ignore: true },
  tbody: { ignore: true },
  tr: { block: 'tableRow' },
  th: { block: 'tableHeader', getAttrs: alignment },
  td: { block: 'tableCell', getAttrs: alignment },
  image: {
    node: 'picture',
    getAttrs: (token) => ({
      src: token.attrGet('src') ?? '',
      title: token.attrGet('title'),
      alt: token.children?.map(({ content }) => content).join('') ?? '',
    }),
  },
};

type Context = { schema: Schema; known: Known; around: Around };

/** The end of the text would swallow what is written after it, such as a comment that is never closed. */
class OpenEnd extends Error {}

/**
 * Opens a text. What the editor cannot show becomes a raw block; the source of every other block is kept until it is
 * edited. Null if text after the last block would become part of it.
 */
export function openDocument(schema: Schema, source: string): OpenedDocument | null {
  const known = new Known();
  try {
    const { nodes, tail } = openBlocks(source, { schema, known, around: { open: [] } });
    const content = nodes.length > 0 ? nodes : [schema.node('paragraph')];
    known.tail = tail;
    const doc = schema.node('doc', null, content);
    doc.check();
    return { doc, known };
  } catch (error) {
    if (error instanceof OpenEnd) return null;
    throw error;
  }
}

/** A run of lines that is one block; `tokens` is empty for what markdown-it keeps to itself, such as definitions. */
type Segment = { start: number; end: number; tokens: Token[] };

function openBlocks(source: string, context: Context): { nodes: Node[]; tail: string } {
  const env: Around = { ...context.around };
  const segments = segmentsOf(source, tokenizer.parse(source, env));
  const inner = { ...context, around: env };
  const nodes: Node[] = [];
  let previous: Source | undefined;
  let at = 0;
  for (const [index, { start, end, tokens }] of segments.entries()) {
    const text = source.slice(start, end);
    const isLast = index === segments.length - 1;
    const isOpenEnd = isLast && isOpenEnded(text, env);
    const node = openSegment(text, tokens, inner);
    if (isOpenEnd && node.type.name === 'raw') throw new OpenEnd();
    previous = { text, before: source.slice(at, start), previous, isOpenEnd };
    context.known.add(node, previous);
    nodes.push(node);
    at = end;
  }
  return { nodes, tail: source.slice(at) };
}

function openSegment(text: string, tokens: Token[], context: Context): Node {
  const { schema, around } = context;
  const raw = () => schema.node('raw', null, schema.text(text));
  const [first] = tokens;
  // The server removes comments before it reads the text, also where they are not closed.
  if (!first || text.includes('<!--')) return raw();
  try {
    const node = first.type === 'directive' ? openBlock(first, text, context) : parse(tokens, schema);
    node.check();
    return meaningOf(writeBlock(node), around) === meaningOf(text, around) ? node : raw();
  } catch {
    return raw(); // the editor has no such node
  }
}

function openBlock(token: Token, text: string, { schema, known, around }: Context): Node {
  const { opening, name, isClosed } = token.meta as FoundBlock; // tokenizer.ts
  const { colons, label, settings } = opening;
  const lines = text.split('\n');
  const content = lines.slice(1, isClosed ? -1 : undefined).join('\n');
  const inner: Around = { ...around, open: [...around.open, name] };
  const type = schema.nodes[nodeNameOf(name)]!; // nodes.ts defines them all
  const attributes = { name, colons, label, settings };
  if (type.isLeaf) return type.create(attributes);
  const { nodes } = openBlocks(content, { schema, known, around: inner });
  return type.create(attributes, nodes.length === 0 ? schema.node('paragraph') : nodes);
}

function parse(tokens: Token[], schema: Schema): Node {
  // The parser only asks its tokenizer for tokens, which are at hand.
  const given = { parse: () => tokens } as unknown as MarkdownIt;
  const doc = new MarkdownParser(schema, given, DOCUMENT_TOKENS).parse('');
  if (doc.childCount !== 1) throw new Error('not one block');
  return doc.child(0);
}

function segmentsOf(source: string, tokens: readonly Token[]): Segment[] {
  const starts = lineStarts(source);
  const segments: Segment[] = [];
  let at = 0;
  /** Lines between two blocks that are not empty. */
  const fill = (to: number) => {
    const between = source.slice(at, to);
    if (between.trim() === '') return;
    const start = at + between.search(/\S/);
    segments.push({ start, end: at + between.trimEnd().length, tokens: [] });
  };
  let open: Token[] = [];
  for (const token of tokens) {
    open.push(token);
    if (token.level !== 0 || token.nesting === 1) continue;
    const [from = 0, to = 0] = open[0]?.map ?? [];
    const start = starts[from] ?? 0;
    fill(start);
    at = start + source.slice(start, starts[to] ?? source.length).trimEnd().length;
    segments.push({ start, end: at, tokens: open });
    open = [];
  }
  fill(source.length);
  return segments;
}

function lineStarts(source: string): number[] {
  return [0, ...Array.from(source.matchAll(/\n/g), ({ index }) => index + 1)];
}

const MARK = 'officium-end-of-block';

function isOpenEnded(text: string, around: Around): boolean {
  const tokens = tokenizer.parse(`${text}\n\n${MARK}`, { ...around });
  const last = tokens.at(-2);
  return tokens.at(-1)?.level !== 0 || last?.type !== 'inline' || last.level !== 1 || last.content !== MARK;
}

/** The meaning of a text, however it is written: blocks as their names, labels and content. */
function meaningOf(source: string, around: Around): string {
  const env: Around = { ...around };
  const tokens = tokenizer.parse(source, env);
  const html = tokenizer.renderer.render(tokens, tokenizer.options, env);
  const blocks = tokens.flatMap((token) => {
    if (token.type !== 'directive') return [];
    const { opening, first, end, name } = token.meta as FoundBlock; // tokenizer.ts
    const content = source.split('\n').slice(first, end).join('\n');
    const inside = meaningOf(content, { ...env, open: [...env.open, name] });
    return [`${opening.name}[${opening.label}]{${opening.settings}}${inside}`];
  });
  const text = html.replace(/\s+(?=<\/code><\/pre>)/g, '').replace(/\s+/g, ' ');
  return [text, ...blocks].join('\0');
}
