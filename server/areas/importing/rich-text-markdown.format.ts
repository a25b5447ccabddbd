import type { ContentfulJson } from './contentful-export.format.ts';

/** Resolves references of a document to Markdown or to URLs; undefined when they cannot be shown. */
export type Targets = {
  /** Markdown of a picture, or a link to another file. */
  asset(id: string): string | undefined;
  /** Markdown of an embedded entry. */
  entry(id: string): string | undefined;
  assetUrl(id: string): string | undefined;
  /** Page path of an entry. */
  pagePath(id: string): string | undefined;
};

type Node = {
  nodeType: string;
  value: string;
  marks: string[];
  uri: string;
  /** Markdown that replaces this node. */
  embedded: string;
  /** Columns and rows that a table cell covers. */
  colspan: number;
  rowspan: number;
  content: Node[];
};

/** True for a Contentful rich text document. */
export function isRichText(value: ContentfulJson | undefined): boolean {
  return objectOf(value).nodeType === 'document';
}

/** Returns the ids of entries that hyperlinks in a value lead to. */
export function hyperlinkedIds(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { nodeType, data } = value as { nodeType?: unknown; data?: { target?: { sys?: { id?: unknown } } } | null }; // only read
  const id = nodeType === 'entry-hyperlink' ? data?.target?.sys?.id : undefined;
  return [...(typeof id === 'string' ? [id] : []), ...Object.values(value).flatMap(hyperlinkedIds)];
}

/** Converts a Contentful document to Markdown, with its embedded and linked entries and assets. */
export function richTextToMarkdown(document: ContentfulJson, targets?: Targets): string {
  return blocks(readNode(document, 0, targets).content).join('\n\n');
}

const MAX_DEPTH = 40;

type JsonObject = { [key: string]: ContentfulJson };
const objectOf = (value: ContentfulJson | undefined): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};

function readNode(value: ContentfulJson | undefined, depth: number, targets: Targets | undefined): Node {
  const node = objectOf(value);
  const data = objectOf(node.data);
  const target = objectOf(objectOf(data.target).sys).id;
  const text = (part: ContentfulJson | undefined) => (typeof part === 'string' ? part : '');
  const marks = (Array.isArray(node.marks) ? node.marks : []).map((mark) => text(objectOf(mark).type));
  const content = Array.isArray(node.content) && depth < MAX_DEPTH ? node.content : [];
  const nodeType = text(node.nodeType);
  return {
    nodeType,
    value: text(node.value),
    marks,
    uri: text(data.uri) || (addressOf(nodeType, text(target), targets) ?? ''),
    embedded: embeddedIn(nodeType, text(target), targets) ?? '',
    colspan: spanOf(data.colspan),
    rowspan: spanOf(data.rowspan),
    content: content.map((child) => readNode(child, depth + 1, targets)),
  };
}

const spanOf = (value: ContentfulJson | undefined) =>
  typeof value === 'number' && Number.isInteger(value) && value > 1 && value <= 1000 ? value : 1;

function addressOf(nodeType: string, id: string, targets: Targets | undefined): string | undefined {
  if (nodeType === 'entry-hyperlink') return targets?.pagePath(id);
  return nodeType === 'asset-hyperlink' ? targets?.assetUrl(id) : undefined;
}

function embeddedIn(nodeType: string, id: string, targets: Targets | undefined): string | undefined {
  if (nodeType === 'embedded-entry-block') return targets?.entry(id);
  return nodeType === 'embedded-asset-block' ? targets?.asset(id) : undefined;
}

const LINKS = new Set(['hyperlink', 'entry-hyperlink', 'asset-hyperlink']);
const isInline = ({ nodeType }: Node) => nodeType === 'text' || LINKS.has(nodeType);

/** Some quotes contain bare text; treat it as one paragraph. */
function blocks(nodes: Node[]): string[] {
  const texts = nodes.some(isInline) ? [paragraph(nodes)] : nodes.map(block);
  return texts.filter((text) => text !== '');
}

function block(node: Node): string {
  const heading = /^heading-([1-6])$/.exec(node.nodeType);
  if (heading) return `${'#'.repeat(Number(heading[1]))} ${inline(node.content)}`;
  switch (node.nodeType) {
    case 'hr':
      return '---';
    case 'blockquote':
      return indent(blocks(node.content).join('\n\n'), '> ', '> ');
    case 'unordered-list':
      return node.content.map((item) => indent(blocks(item.content).join('\n\n'), '- ', '  ')).join('\n');
    case 'ordered-list':
      return node.content
        .map((item, index) => indent(blocks(item.content).join('\n\n'), `${index + 1}. `, '   '))
        .join('\n');
    case 'table':
      return table(node);
    case 'embedded-entry-block':
    case 'embedded-asset-block':
      return node.embedded;
    default:
      return paragraph(node.content);
  }
}

/** Escapes line starts that would become a heading, list or rule. */
function paragraph(nodes: Node[]): string {
  return inline(nodes)
    .trim()
    .replace(/^[#+=-]/, '\\$&')
    .replace(/^\d+(?=[.)])/, '$&\\');
}

/** Markdown has no merged cells, so a table that has some is written as HTML around the Markdown of its cells. */
function mergedTable(node: Node): string {
  const cell = ({ nodeType, colspan, rowspan, content }: Node) => {
    const tag = nodeType === 'table-header-cell' ? 'th' : 'td';
    const spans = `${colspan > 1 ? ` colspan="${colspan}"` : ''}${rowspan > 1 ? ` rowspan="${rowspan}"` : ''}`;
    return `<${tag}${spans}>\n\n${blocks(content).join('\n\n')}\n\n</${tag}>`;
  };
  const rows = node.content.map((row) => `<tr>\n${row.content.map(cell).join('\n')}\n</tr>`);
  return `<table>\n${rows.join('\n')}\n</table>`;
}

function table(node: Node): string {
  const isMerged = node.content.some((row) => row.content.some(({ colspan, rowspan }) => colspan * rowspan > 1));
  if (isMerged) return mergedTable(node);
  const rows = node.content.map((row) =>
    row.content.map((cell) => blocks(cell.content).join(' ').replaceAll('|', '\\|').replaceAll('\n', ' ')),
  );
  const [head = [], ...rest] = rows;
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rest.map(line)].join('\n');
}

function indent(text: string, first: string, others: string): string {
  return text
    .split('\n')
    .map((line, index) => (index === 0 ? first + line : line === '' ? others.trimEnd() : others + line))
    .join('\n');
}

/** Marks are written as tags, because Markdown delimiters do not work next to letters. */
const MARKS: Record<string, string> = {
  bold: 'strong',
  italic: 'em',
  underline: 'u',
  strikethrough: 's',
  superscript: 'sup',
  subscript: 'sub',
  code: 'code',
};

function inline(nodes: Node[]): string {
  return nodes
    .map((node) => {
      if (node.nodeType === 'text') return marked(node);
      const text = inline(node.content);
      return LINKS.has(node.nodeType) && node.uri !== ''
        ? `[${text}](<${node.uri.replace(/[<>\s]/g, encodeURIComponent)}>)`
        : text;
    })
    .join('');
}

/** Moves surrounding spaces out of the marks. */
function marked({ value, marks }: Node): string {
  // Not by one expression: a long run of spaces would take quadratic time.
  const text = value.trim();
  const start = value.length - value.trimStart().length;
  const [before, after] = [value.slice(0, start), value.slice(start + text.length)];
  const tags = marks.flatMap((mark) => (Object.hasOwn(MARKS, mark) ? [MARKS[mark]] : []));
  const inner = text === '' ? '' : tags.reduce((within, tag) => `<${tag}>${within}</${tag}>`, escaped(text));
  return withBreaks(`${before}${inner}${after}`);
}

/** Ends of lines, with the spaces and empty lines around them, become breaks. */
function withBreaks(text: string): string {
  const [first = '', ...others] = text.split('\n');
  const last = others.pop();
  if (last === undefined) return first;
  const between = others.map((line) => line.trim()).filter((line) => line !== '');
  return [first.trimEnd(), ...between, last.trimStart()].join('<br>');
}

function escaped(text: string): string {
  return text.replace(/[\\`*_[\]<>~&]/g, '\\$&');
}
