import type { ContentfulJson } from './contentful-export.format.ts';

/** What a document refers to, as Markdown or as an address; undefined for what cannot be shown. */
export type Targets = {
  /** A picture, or a link to another file. */
  asset(id: string): string | undefined;
  /** The text of an entry. */
  entry(id: string): string | undefined;
  assetUrl(id: string): string | undefined;
  /** The path of an entry's page. */
  pagePath(id: string): string | undefined;
};

type Node = {
  nodeType: string;
  value: string;
  marks: string[];
  uri: string;
  /** Markdown of what stands in the place of this node. */
  embedded: string;
  content: Node[];
};

/** Whether a field holds a Contentful document. */
export function isRichText(value: ContentfulJson | undefined): boolean {
  return objectOf(value).nodeType === 'document';
}

/** The entries that hyperlinks anywhere in a value lead to. */
export function hyperlinkedIds(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { nodeType, data } = value as { nodeType?: unknown; data?: { target?: { sys?: { id?: unknown } } } | null }; // only read
  const id = nodeType === 'entry-hyperlink' ? data?.target?.sys?.id : undefined;
  return [...(typeof id === 'string' ? [id] : []), ...Object.values(value).flatMap(hyperlinkedIds)];
}

/** A Contentful document as Markdown, with the entries and assets that stand in it or that it links to. */
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
    content: content.map((child) => readNode(child, depth + 1, targets)),
  };
}

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

/** Quotes are found with bare text, which then is their one block. */
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

/** What would begin a heading, a list or a rule begins a text. */
function paragraph(nodes: Node[]): string {
  return inline(nodes)
    .trim()
    .replace(/^[#+=-]/, '\\$&')
    .replace(/^\d+(?=[.)])/, '$&\\');
}

function table(node: Node): string {
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

/** As tags: the signs of Markdown are signs only where no word stands close to them. */
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

/** Marks stand close to their text: spaces at the ends go outside them. */
function marked({ value, marks }: Node): string {
  const [, before = '', text = '', after = ''] = /^(\s*)([\s\S]*?)(\s*)$/.exec(value) ?? [];
  const tags = marks.flatMap((mark) => (Object.hasOwn(MARKS, mark) ? [MARKS[mark]] : []));
  const inner = text === '' ? '' : tags.reduce((within, tag) => `<${tag}>${within}</${tag}>`, escaped(text));
  return `${before}${inner}${after}`.replace(/\s*\n\s*/g, '<br>');
}

function escaped(text: string): string {
  return text.replace(/[\\`*_[\]<>~&]/g, '\\$&');
}
