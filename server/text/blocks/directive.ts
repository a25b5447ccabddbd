import MarkdownIt from 'markdown-it';

/**
 * The first line of a block: `::name[label]{key="value"}`, or the same with more colons for a block with content.
 * `colons` is 2 for a block without content.
 */
export type Directive = {
  colons: number;
  name: string;
  /** Plain text; empty if the author wrote none. */
  label: string;
  /** `{#id}` is the attribute `id`; an attribute without a value is an empty text. */
  attributes: Readonly<Record<string, string>>;
};

const MAX_LINE = 4_000;
const MAX_ATTRIBUTES = 20;
const MAX_COLONS = 20;
const NAME = /[a-z][a-z0-9-]{0,31}(?![a-z0-9_-])/y;
const ATTRIBUTE =
  /[ \t]*(?:#([\p{L}\p{N}_-]{1,64})|([a-z][a-z0-9-]{0,31})(?:=(?:"((?:\\.|[^"\\])*)"|'((?:\\.|[^'\\])*)'|([^\s"'=<>`{}][^\s"'<>`{}]*)))?)(?=[ \t}])/uy;
const ATTRIBUTES_END = /[ \t]*\}/y;

const { unescapeAll } = new MarkdownIt().utils;

/** Reads the first line of a block, trimmed. Returns undefined for any other line, in time linear to its length. */
export function readDirective(line: string): Directive | undefined {
  if (!line.startsWith('::') || line.length > MAX_LINE) return undefined;
  const colons = countColons(line);
  const name = matchAt(NAME, line, colons)?.[0];
  if (name === undefined || colons > MAX_COLONS) return undefined;
  let at = colons + name.length;
  let label = '';
  if (line[at] === '[') {
    const end = labelEnd(line, at);
    if (end === -1) return undefined;
    label = unescapeAll(line.slice(at + 1, end)).trim();
    at = end + 1;
  }
  const written = line[at] === '{' ? readAttributes(line, at) : { attributes: {}, end: at };
  return written?.end === line.length ? { colons, name, label, attributes: written.attributes } : undefined;
}

/** Returns where the label of a block's first line stands, between its brackets. The line is trimmed. */
export function labelRange(line: string): { start: number; end: number } | undefined {
  const start = /^:{2,20}[a-z][a-z0-9-]*\[/.exec(line)?.[0].length;
  const end = start === undefined ? -1 : labelEnd(line, start - 1);
  return start === undefined || end === -1 ? undefined : { start, end };
}

/** Returns where the value of an attribute stands in a block's first line, with its quotes. The line is trimmed. */
export function attributeRange(line: string, name: string): { start: number; end: number } | undefined {
  const label = labelRange(line);
  const open = label ? label.end + 1 : (/^:{2,20}[a-z][a-z0-9-]*/.exec(line)?.[0].length ?? line.length);
  if (line[open] !== '{') return undefined;
  let at = open + 1;
  for (let count = 0; count < MAX_ATTRIBUTES; count++) {
    const match = matchAt(ATTRIBUTE, line, at);
    if (!match) return undefined;
    const [text, , key] = match;
    if (key === name) return { start: at + text.indexOf('=') + 1, end: at + text.length };
    at += text.length;
  }
  return undefined;
}

/** Writes a plain text as the value of an attribute. */
export function writeValue(text: string): string {
  return `"${text.replace(/\s+/g, ' ').replace(/[\\"]|&(?=#?\w+;)/g, '\\$&')}"`;
}

/** Writes a plain text as a label. */
export function writeLabel(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[\\[\]]/g, '\\$&')
    .replace(/&(?=#?\w+;)/g, '\\&');
}

/** True for the last line of a block: nothing but at least as many colons as its first line has. */
export function closesDirective(line: string, { colons }: Directive): boolean {
  const found = countColons(line);
  return found >= colons && found === line.length;
}

function countColons(line: string): number {
  let count = 0;
  while (line[count] === ':') count++;
  return count;
}

/** Returns the position of the bracket that closes the label, or -1. */
function labelEnd(line: string, start: number): number {
  let depth = 0;
  for (let at = start; at < line.length; at++) {
    if (line[at] === '\\') at++;
    else if (line[at] === '[') depth++;
    else if (line[at] === ']' && --depth === 0) return at;
  }
  return -1;
}

function readAttributes(line: string, start: number): { attributes: Record<string, string>; end: number } | undefined {
  const found = new Map<string, string>();
  let at = start + 1;
  for (let count = 0; count <= MAX_ATTRIBUTES; count++) {
    const end = matchAt(ATTRIBUTES_END, line, at);
    if (end) return { attributes: Object.fromEntries(found), end: at + end[0].length };
    const match = matchAt(ATTRIBUTE, line, at);
    if (!match) return undefined;
    const [text, id, key = 'id', ...values] = match;
    found.set(key, unescapeAll(id ?? values.find((value) => value !== undefined) ?? ''));
    at += text.length;
  }
  return undefined;
}

function matchAt(pattern: RegExp, line: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(line);
}
