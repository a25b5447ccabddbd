import type { ContentfulJson } from './contentful-export.format.ts';

type Node = { nodeType: string; value: string; marks: string[]; uri: string; content: Node[] };

/** Whether a field holds a Contentful document. */
export function isRichText(value: ContentfulJson | undefined): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && value.nodeType === 'document';
}

/** A Contentful document as Markdown. Embedded entries and assets have no text and are left out. */
export function richTextToMarkdown(document: ContentfulJson): string {
  return blocks(readNode(document, 0).content).join('\n\n');
}

const MAX_DEPTH = 40;

function readNode(value: ContentfulJson | undefined, depth: number): Node {
  const node = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  const data = typeof node.data === 'object' && node.data !== null && !Array.isArray(node.data) ? node.data : {};
  const text = (part: ContentfulJson | undefined) => (typeof part === 'string' ? part : '');
  const marks = (Array.isArray(node.marks) ? node.marks : []).map((mark) =>
    typeof mark === 'object' && mark !== null && !Array.isArray(mark) ? text(mark.type) : '',
  );
  const content = Array.isArray(node.content) && depth < MAX_DEPTH ? node.content : [];
  return {
    nodeType: text(node.nodeType),
    value: text(node.value),
    marks,
    uri: text(data.uri),
    content: content.map((child) => readNode(child, depth + 1)),
  };
}

const isInline = ({ nodeType }: Node) => nodeType === 'text' || nodeType === 'hyperlink';

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
      return node.nodeType === 'hyperlink' && node.uri !== ''
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
