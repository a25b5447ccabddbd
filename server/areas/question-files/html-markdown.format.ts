import { renderMarkdown } from '#server/text/markdown.ts';
import { pictureAddresses } from '#server/text/picture-links.ts';
import { type MarkupNode, elements, parseHtml, textIn } from './markup-tree.format.ts';
import type { Note } from './question.policy.ts';

const HIDDEN = new Set(['script', 'style', 'template', 'head', 'title', 'noscript', 'iframe', 'object', 'svg', 'math']);
const PICTURES = new Set(['img', 'video', 'audio', 'object', 'iframe', 'svg', 'math']);
const BLOCKS = new Set(
  'address article aside blockquote body content-body dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr html li main nav ol p pre section table tbody thead tr ul'.split(
    ' ',
  ),
);
const MARKS = new Map([
  ['strong', '**'],
  ['b', '**'],
  ['em', '*'],
  ['i', '*'],
]);
/** Deeper quotations and lists continue their parent, because each level repeats its prefix on all lines. */
const MAX_LEVELS = 10;

/** Turns HTML into Markdown. Pictures and recordings are noted and left out; markup without a Markdown form is dropped. */
export function htmlToMarkdown(html: string, note: Note = () => {}): string {
  return nodeToMarkdown(parseHtml(html), note);
}

export function nodeToMarkdown(root: MarkupNode, note: Note = () => {}): string {
  return blocksOf(root.children, note).join('\n\n').trim();
}

/** Turns HTML into Markdown of one paragraph. */
export function htmlToLine(html: string, note: Note = () => {}): string {
  return nodeToLine(parseHtml(html), note);
}

export function nodeToLine(root: MarkupNode, note: Note = () => {}): string {
  return settle(flatten(root.children, note));
}

function flatten(children: MarkupNode['children'], note: Note): string {
  return joined(
    children.map((child) =>
      typeof child !== 'string' && BLOCKS.has(child.name) ? ` ${flatten(child.children, note)} ` : inline(child, note),
    ),
  );
}

/** A text to emphasise, or one as it is. */
type Piece = string | { mark: string; text: string };

/** Joins the pieces of a paragraph. Emphasis that touches a word or other emphasis has no form in Markdown, and is dropped. */
function joined(pieces: readonly Piece[]): string {
  const line: string[] = [];
  let before = '';
  for (const [at, piece] of pieces.entries()) {
    const next = pieces[at + 1] ?? '';
    let text: string;
    // Codes that touch would be one.
    if (typeof piece === 'string') text = before === '`' && piece.startsWith('`') ? ` ${piece}` : piece;
    else text = marked(piece, { before, after: typeof next === 'string' ? next : '*' });
    if (text === '') continue;
    // Two tildes that meet would begin a deleted text.
    if (before === '~' && text.startsWith('~')) line.push(`${line.pop()?.slice(0, -1)}\\~`);
    line.push(text);
    before = text.at(-1) ?? before;
  }
  return line.join('');
}

/** `before` is the character before the text, and empty at the start of the paragraph. */
function marked(
  { mark, text }: { mark: string; text: string },
  { before, after }: { before: string; after: string },
): string {
  const inner = text.trim();
  const start = text.slice(0, text.length - text.trimStart().length);
  const end = text.slice(text.trimEnd().length);
  const isWhole = /^[\p{L}\p{N}](?:[^*\n]*[\p{L}\p{N}])?$/u.test(inner);
  const isFree = (start !== '' || /^[\s(]?$/.test(before)) && (end !== '' || /^(?:$|[\s).,;:!?])/.test(after));
  return isWhole && isFree ? `${start}${mark}${inner}${mark}${end}` : text;
}

/** Leaves Markdown as it is written, unless it has pictures or HTML, which go the way of all HTML. */
export function cleanMarkdown(source: string, note: Note = () => {}): string {
  if (source === '') return '';
  const lines = source.replace(/\r\n?/g, '\n').split('\n');
  const text = lines
    .map((line, at) => {
      const kept = line.slice(0, endOf(line, ' \t'));
      const isBreak = kept !== '' && line.endsWith('  ') && /^\S/.test(lines[at + 1] ?? '');
      return isBreak ? `${kept}\\` : kept;
    })
    .join('\n')
    .trim();
  if (pictureAddresses(text).length === 0 && !/(?<!\\)<[a-z/!?]/i.test(text)) return text;
  return htmlToMarkdown(renderMarkdown(text).html, note);
}

/** The length of a text without some characters at its end. A regular expression would take quadratic time. */
function endOf(text: string, dropped: string): number {
  let end = text.length;
  while (end > 0 && dropped.includes(text.charAt(end - 1))) end--;
  return end;
}

/** Like `cleanMarkdown`, for a text that must be one paragraph. */
export function cleanLine(source: string, note: Note = () => {}): string {
  const text = cleanMarkdown(source, note);
  return text.includes('\n') ? htmlToLine(renderMarkdown(text).html, note) : text;
}

/** Makes Markdown that shows a plain text as it is, with its paragraphs. */
export function plainToMarkdown(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .split(/\n[ \t]*\n\s*/)
    .map((paragraph) => settle(escapeMarkdown(paragraph)))
    .filter((paragraph) => paragraph !== '')
    .join('\n\n');
}

function blocksOf(children: MarkupNode['children'], note: Note, level = 0): string[] {
  const blocks: string[] = [];
  let line: Piece[] = [];
  const endLine = () => {
    const text = settle(joined(line));
    if (text !== '') blocks.push(text);
    line = [];
  };
  for (const child of mergedLists(children))
    if (typeof child === 'string' || !BLOCKS.has(child.name)) line.push(inline(child, note));
    else {
      endLine();
      for (const block of blockOf(child, note, level)) blocks.push(block);
    }
  endLine();
  return blocks;
}

/** Lists of one kind that follow each other would become one list in Markdown. */
function mergedLists(children: MarkupNode['children']): MarkupNode['children'] {
  const merged: MarkupNode['children'] = [];
  let list: MarkupNode | undefined;
  for (const child of children) {
    if (typeof child === 'string') {
      if (child.trim() !== '') list = undefined;
      merged.push(child);
    } else if (list?.name === child.name) for (const item of child.children) list.children.push(item);
    else {
      list = /^[uo]l$/.test(child.name) ? { ...child, children: [...child.children] } : undefined;
      merged.push(list ?? child);
    }
  }
  return merged;
}

function blockOf(node: MarkupNode, note: Note, level: number): string[] {
  const { name } = node;
  if (name === 'hr') return ['---'];
  if (name === 'pre') return [fenced(textIn(node))];
  const isDeep = level >= MAX_LEVELS;
  if ((name === 'ul' || name === 'ol') && !isDeep) return listOf(node, note, level + 1);
  if (name === 'tr')
    return [
      elements(node)
        .map((cell) => nodeToLine(cell, note))
        .join(' – '),
    ];
  const isQuotation = name === 'blockquote' && !isDeep;
  const inner = blocksOf(node.children, note, isQuotation ? level + 1 : level);
  if (isQuotation) return inner.length === 0 ? [] : [prefixed(inner.join('\n\n'), '> ', '> ')];
  const rank = /^h([1-6])$/.exec(name)?.[1];
  return rank === undefined ? inner : inner.map((text) => `${'#'.repeat(Math.max(2, Number(rank)))} ${text}`);
}

function listOf(node: MarkupNode, note: Note, level: number): string[] {
  const items = elements(node).map((item) => blocksOf(item.children, note, level));
  const isTight = items.every((blocks) => blocks.length <= 1);
  const written = items
    .filter((blocks) => blocks.length > 0)
    .map((blocks, at) => {
      const mark = node.name === 'ol' ? `${at + 1}. ` : '- ';
      return prefixed(blocks.join('\n\n'), mark, ' '.repeat(mark.length));
    });
  return written.length === 0 ? [] : [written.join(isTight ? '\n' : '\n\n')];
}

function fenced(source: string): string {
  const code = source.replace(/\r\n?/g, '\n').replace(/^\n|\n$/g, '');
  const longest = [...code.matchAll(/`+/g)].reduce((most, [run]) => Math.max(most, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${code}\n${fence}`;
}

/** Prefixes the first line and the others; empty lines get no trailing space. */
export function prefixed(text: string, first: string, others: string): string {
  return text
    .split('\n')
    .map((line, at) => (at === 0 ? first + line : (others + line).trimEnd()))
    .join('\n');
}

function inline(child: MarkupNode | string, note: Note): Piece {
  if (typeof child === 'string') return escapeMarkdown(child.replace(/[ \t\n\r\f]+/g, ' '));
  const { name, attributes } = child;
  if (PICTURES.has(name)) note('picture', attributes['src'] ?? attributes['data'] ?? attributes['alt'] ?? name);
  if (HIDDEN.has(name) || PICTURES.has(name)) return '';
  if (name === 'br') return '\\\n';
  if (name === 'code' || name === 'kbd' || name === 'samp') return codeOf(textIn(child));
  const inner = flatten(child.children, note);
  const mark = MARKS.get(name);
  if (mark !== undefined) return { mark, text: inner };
  const href = attributes['href'] ?? '';
  const isLink = name === 'a' && /^(?:https?:\/\/|mailto:)[^\s<>]+$/i.test(href) && inner.trim() !== '';
  return isLink ? `[${inner.trim()}](<${href.replaceAll('\\', '%5C')}>)` : inner;
}

function codeOf(source: string): string {
  const code = source.replace(/\s+/g, ' ').trim();
  if (code === '') return '';
  const runs = new Set([...code.matchAll(/`+/g)].map(([run]) => run.length));
  let count = 1;
  while (runs.has(count)) count++;
  const ticks = '`'.repeat(count);
  const space = code.startsWith('`') || code.endsWith('`') ? ' ' : '';
  return `${ticks}${space}${code}${space}${ticks}`;
}

/** Joins the pieces of a paragraph and escapes what would begin a block at the start of its lines. */
function settle(text: string): string {
  let end = endOf(text, ' \t\n');
  while (text[end - 1] === '\\' && text[end] === '\n') end = endOf(text.slice(0, end - 1), ' \t\n');
  return text
    .slice(0, end)
    .split('\n')
    .map((line) =>
      line
        .replace(/[ \t]+/g, ' ')
        .trim()
        .replace(/^(#|>|[-+](?=\s|$)|-(?=[-\s]*$)|=(?==*$)|:{2,}|\||~{3,})/, '\\$1')
        .replace(/^(\d{1,9})([.)])/, '$1\\$2'),
    )
    .filter((line, at) => line !== '' || at > 0)
    .join('\n')
    .trim();
}

function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_[\]<$]|~(?=~)|&(?=#?\w+;)|[☐☑]/g, (character) => `\\${character}`);
}
