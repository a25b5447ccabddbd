import type { Token } from 'markdown-it';
import type { Piece } from './marked-text.ts';
import { type Counter, keep, type Kept, protect } from './protected.ts';

/** Delimiters of a group in Markdown, with an HTML element for places where Markdown would not recognise them. */
type Delimiters = { open: string; close: string; html?: string };

/** The inline content of a block: its pieces and the data to write it again. */
export type InlineText = { pieces: Piece[]; kept: Kept; groups: Map<number, Delimiters> };

const BREAK = '\\\n';
const EMPHASIS: Record<string, { delimiter: string; html: string }> = {
  strong: { delimiter: '**', html: 'strong' },
  em: { delimiter: '*', html: 'em' },
  s: { delimiter: '~~', html: 's' },
};

/** Converts inline tokens to pieces. Code, formulas, bare addresses and HTML become atoms; links and emphasis become groups. */
export function readInline(tokens: readonly Token[], counter: Counter): InlineText {
  const text: InlineText = { pieces: [], kept: new Map(), groups: new Map() };
  const open: Piece[][] = [text.pieces];
  const here = () => open.at(-1) ?? text.pieces;
  const begin = (delimiters: Delimiters) => {
    const group = counter.next();
    const pieces: Piece[] = [];
    text.groups.set(group, delimiters);
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
    else if (token.type === 'math_inline') put(`$$${token.content}$$`);
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
      const { delimiter, html } = EMPHASIS[name];
      begin({ open: delimiter, close: delimiter, html });
    } else if (end === 'close') open.pop();
    else put(token.content);
  }
  return text;
}

/** Atoms are written to Markdown verbatim, so protected text other than mentions and URLs is escaped here. */
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

/** Writes inline content as Markdown. `asHtml` writes emphasis as elements, which are recognised in any position. */
export function writeInline({ pieces, kept, groups }: InlineText, { asHtml }: { asHtml: boolean }): string {
  const write = (list: readonly Piece[]): string =>
    list
      .map((piece) => {
        if (typeof piece === 'string') return escapeText(piece);
        if ('atom' in piece) return kept.get(piece.atom) ?? '';
        const delimiters = groups.get(piece.group) ?? { open: '', close: '' };
        const inner = write(piece.pieces);
        if (asHtml && delimiters.html) return `<${delimiters.html}>${inner}</${delimiters.html}>`;
        // Markdown does not recognise emphasis that begins or ends with a space.
        const words = inner.trim();
        const start = inner.length - inner.trimStart().length;
        return inner.slice(0, start) + delimiters.open + words + delimiters.close + inner.slice(start + words.length);
      })
      .join('');
  return write(pieces)
    .split(BREAK)
    .map((line) => line.trim().replace(LINE_START, '$1\\$2'))
    .join(BREAK);
}

/** Characters that would start a heading, list, quote, rule or fence at the beginning of a line. */
const LINE_START = /^(\d{0,9})(#{1,6}(?=\s|$)|[-+](?=\s|$)|[.)](?=\s|$)|>|=+\s*$|-{2,}|~{3,}|:-|:{2,})/;

function escapeText(text: string): string {
  return onOneLine(text)
    .replace(/[\\`*[\]|]/g, '\\$&')
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replace(/~(?=~)|(?<=~)~/g, '\\~')
    .replace(/<(?=[a-z/!?])/gi, '\\<')
    .replace(/&(?=#?\w+;)/g, '\\&');
}

/** Joins lines by one space each. A pattern for it would take quadratic time on a long run of spaces. */
function onOneLine(text: string): string {
  const [first = '', ...rest] = text.split('\n');
  const last = rest.pop();
  if (last === undefined) return first;
  return [first.trimEnd(), ...rest.map((line) => line.trim()).filter(Boolean), last.trimStart()].join(' ');
}
