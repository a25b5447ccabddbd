import { Parser } from 'htmlparser2';

/** An element with its content, in order. `line` is its line in the file, from 1. */
export type MarkupNode = {
  name: string;
  attributes: Readonly<Record<string, string>>;
  children: (MarkupNode | string)[];
  line: number;
};

/** A text that is no XML, or XML that is refused. */
export class MarkupError extends Error {
  readonly line: number;

  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}

/** Question files nest some ten elements. The parser's time grows with the square of the depth. */
const MAX_DEPTH = 100;
const MAX_NODES = 200_000;

/** Parses XML without document types or entities beyond the predefined ones; any document type is refused. */
export function parseXml(text: string): MarkupNode {
  const { children } = parse(text, true);
  const roots = children.filter((child) => typeof child !== 'string');
  const [root] = roots;
  if (!root || roots.length > 1) throw new MarkupError('no single root', 1);
  return root;
}

/** Parses HTML leniently, as browsers do. */
export function parseHtml(text: string): MarkupNode {
  return parse(text, false);
}

function parse(text: string, isXml: boolean): MarkupNode {
  const root: MarkupNode = { name: '', attributes: {}, children: [], line: 1 };
  const open = [root];
  const lines = lineCounter(text);
  let nodes = 0;
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        const line = lines(parser.startIndex);
        if (open.length > MAX_DEPTH || ++nodes > MAX_NODES) throw new MarkupError('too large', line);
        const node: MarkupNode = { name: isXml ? localName(name) : name, attributes, children: [], line };
        open.at(-1)?.children.push(node);
        open.push(node);
      },
      ontext: (data) => {
        const { children } = open.at(-1) ?? root;
        const last = children.at(-1);
        // A character reference comes as a text of its own.
        if (typeof last === 'string') children[children.length - 1] = last + data;
        else children.push(data);
      },
      onclosetag: (_name, isImplied) => {
        if (isXml && isImplied && !isSelfClosed(text, parser.startIndex, parser.endIndex))
          throw new MarkupError('element not closed', lines(parser.startIndex));
        open.pop();
      },
      onprocessinginstruction: (name) => {
        // Entities of a document type can expand without bound or name files of the server.
        if (isXml && !name.startsWith('?')) throw new MarkupError('document type', lines(parser.startIndex));
      },
    },
    { xmlMode: isXml, decodeEntities: true },
  );
  parser.write(text);
  parser.end();
  return root;
}

const isSelfClosed = (text: string, start: number, end: number) => text.slice(start, end + 1).endsWith('/>');
const localName = (name: string) => name.slice(name.indexOf(':') + 1);

/** Returns a function that gives the line of an index; indexes only grow. */
function lineCounter(text: string): (index: number) => number {
  let line = 1;
  let at = 0;
  return (index) => {
    for (; at < index; at++) if (text.charCodeAt(at) === 10) line++;
    return line;
  };
}

export function elements(node: MarkupNode, name?: string): MarkupNode[] {
  return node.children.filter(
    (child) => typeof child !== 'string' && (name === undefined || child.name === name),
  ) as MarkupNode[]; // texts were filtered out
}

export function element(node: MarkupNode | undefined, name: string): MarkupNode | undefined {
  return node && elements(node, name)[0];
}

/** All elements of a name below a node, in document order. */
export function descendants(node: MarkupNode, ...names: string[]): MarkupNode[] {
  return elements(node).flatMap((child) => [
    ...(names.includes(child.name) ? [child] : []),
    ...descendants(child, ...names),
  ]);
}

/** The characters of an element with its content, about. */
export function sizeOf({ name, attributes, children }: MarkupNode): number {
  const own = name.length + Object.values(attributes).reduce((sum, value) => sum + value.length, 0);
  return children.reduce((sum, child) => sum + (typeof child === 'string' ? child.length : sizeOf(child)), own);
}

export function textIn(node: MarkupNode | undefined): string {
  if (!node) return '';
  return node.children.map((child) => (typeof child === 'string' ? child : textIn(child))).join('');
}

/** Writes XML with escaped texts; a child that is undefined or empty text adds nothing. */
export function toXml(
  name: string,
  attributes: Readonly<Record<string, string | undefined>> = {},
  ...children: (string | undefined)[]
): string {
  const written = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [` ${key}="${escapeXml(value).replaceAll('\n', '&#10;').replaceAll('\t', '&#9;')}"`],
  );
  const content = children.filter((child) => child !== undefined).join('');
  return content === '' ? `<${name}${written.join('')}/>` : `<${name}${written.join('')}>${content}</${name}>`;
}

/** Characters that XML cannot contain, even escaped. */
// eslint-disable-next-line no-control-regex
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
};

export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(NOT_XML, '')
    .replace(/[&<>"\r]/g, (character) => ESCAPES[character] ?? '');
}
