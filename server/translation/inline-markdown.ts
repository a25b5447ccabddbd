import type { Token } from 'markdown-it';
import type { Piece } from './marked-text.ts';
import { type Counter, keep, type Kept, protect } from './protected.ts';

/** How a group is written: as Markdown, or, where its signs would not be read as such, as HTML. */
type Signs = { open: string; close: string; html?: string };

/** The inside of a block: its pieces, and all that is needed to write it again. */
export type InlineText = { pieces: Piece[]; kept: Kept; groups: Map<number, Signs> };

const BREAK = '\\\n';
const EMPHASIS: Record<string, { sign: string; html: string }> = {
  strong: { sign: '**', html: 'strong' },
  em: { sign: '*', html: 'em' },
  s: { sign: '~~', html: 's' },
};

/** Reads what the parser made of a block's inside. Code, bare addresses and HTML are kept; links and emphasis are groups. */
export function readInline(tokens: readonly Token[], counter: Counter): InlineText {
  const text: InlineText = { pieces: [], kept: new Map(), groups: new Map() };
  const open: Piece[][] = [text.pieces];
  const here = () => open.at(-1) ?? text.pieces;
  const begin = (signs: Signs) => {
    const group = counter.next();
    const pieces: Piece[] = [];
    text.groups.set(group, signs);
    here().push({ group, pieces });
    open.push(pieces);
  };
  const put = (raw: string) => here().push(keep(raw, text.kept, counter));
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!; // within the list
    const [, name = '', end] = /^(\w+?)_(open|close)$/.exec(token.type) ?? [];
    if (token.type === 'text') here().push(...protectWritten(token.content, text.kept, counter));
    else if (token.type === 'softbreak') here().push(' ');
    else if (token.type === 'hardbreak') put(BREAK);
    else if (token.type === 'code_inline') put(codeOf(token));
    else if (token.type === 'link_open' && /^(?:autolink|linkify)$/.test(token.markup)) {
      const shown = tokens[at + 1]?.content ?? '';
      put(token.markup === 'autolink' ? `<${shown}>` : shown);
      while (tokens[at]?.type !== 'link_close') at++;
    } else if (token.type === 'link_open') begin({ open: '[', close: `](${targetOf(token, 'href')})` });
    else if (token.type === 'image') {
      begin({ open: '![', close: `](${targetOf(token, 'src')})` });
      here().push(...protectWritten(token.content, text.kept, counter));
      open.pop();
    } else if (end === 'open' && EMPHASIS[name]) {
      const { sign, html } = EMPHASIS[name];
      begin({ open: sign, close: sign, html });
    } else if (end === 'close') open.pop();
    else put(token.content);
  }
  return text;
}

/** Atoms stand in Markdown as they are, so what is kept of a text is written as the text around it. */
function protectWritten(text: string, kept: Kept, counter: Counter): Piece[] {
  const own: Kept = new Map();
  const pieces = protect(text, own, counter);
  for (const [atom, raw] of own) kept.set(atom, /^(?:\{\{|https?:)/i.test(raw) ? raw : escapeText(raw));
  return pieces;
}

function codeOf({ markup, content }: Token): string {
  const space = /^`|`$/.test(content) ? ' ' : '';
  return markup + space + content + space + markup;
}

function targetOf(token: Token, attribute: string): string {
  const href = String(token.attrGet(attribute) ?? '');
  const title = String(token.attrGet('title') ?? '');
  const address = /[\s()<>]/.test(href) || href === '' ? `<${href.replace(/[<>]/g, encodeURIComponent)}>` : href;
  return title ? `${address} "${title.replaceAll(/["\\]/g, '\\$&')}"` : address;
}

/** Writes a block's inside. `asHtml` writes emphasis as elements, which are read wherever they stand. */
export function writeInline({ pieces, kept, groups }: InlineText, { asHtml }: { asHtml: boolean }): string {
  const write = (list: readonly Piece[]): string =>
    list
      .map((piece) => {
        if (typeof piece === 'string') return escapeText(piece);
        if ('atom' in piece) return kept.get(piece.atom) ?? '';
        const signs = groups.get(piece.group) ?? { open: '', close: '' };
        const inner = write(piece.pieces);
        if (asHtml && signs.html) return `<${signs.html}>${inner}</${signs.html}>`;
        // Emphasis that begins or ends with a space is none.
        const [, before = '', words = '', after = ''] = /^(\s*)([\s\S]*?)(\s*)$/.exec(inner) ?? [];
        return before + signs.open + words + signs.close + after;
      })
      .join('');
  return write(pieces)
    .split(BREAK)
    .map((line) => line.trim().replace(LINE_START, '$1\\$2'))
    .join(BREAK);
}

/** At the beginning of a line these would make it a heading, a list, a quote, a rule or a fence. */
const LINE_START = /^(\d{0,9})(#{1,6}(?=\s|$)|[-+](?=\s|$)|[.)](?=\s|$)|>|=+\s*$|-{2,}|~{3,}|:-)/;

function escapeText(text: string): string {
  return text
    .replace(/[\\`*[\]|]/g, '\\$&')
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replace(/~(?=~)|(?<=~)~/g, '\\~')
    .replace(/<(?=[a-z/!?])/gi, '\\<')
    .replace(/&(?=#?\w+;)/g, '\\&')
    .replace(/\s*\n\s*/g, ' ');
}
