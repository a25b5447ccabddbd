import type { Json } from './contentful-export.ts';

type Node = { nodeType: string; value: string; marks: string[]; uri: string; content: Node[] };

/** Whether a field holds a Contentful document. */
export function isRichText(value: Json | undefined): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && value.nodeType === 'document';
}

/** A Contentful document as Markdown. Embedded entries and assets have no text and are left out. */
export function richTextToMarkdown(document: Json): string {
  return blocks(readNode(document, 0).content).join('\n\n');
}

const MAX_DEPTH = 40;

function readNode(value: Json | undefined, depth: number): Node {
  const node = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  const data = typeof node.data === 'object' && node.data !== null && !Array.isArray(node.data) ? node.data : {};
  const text = (part: Json | undefined) => (typeof part === 'string' ? part : '');
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

function blocks(nodes: Node[]): string[] {
  return nodes.map(block).filter((text) => text !== '');
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
      return inline(node.content);
  }
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

const MARKS: Record<string, [string, string]> = {
  bold: ['**', '**'],
  italic: ['*', '*'],
  underline: ['<u>', '</u>'],
  strikethrough: ['~~', '~~'],
  superscript: ['<sup>', '</sup>'],
  subscript: ['<sub>', '</sub>'],
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
  if (text === '') return value;
  if (marks.includes('code')) return `${before}\`${text.replaceAll('`', "'")}\`${after}`;
  const escaped = text.replace(/[\\`*_[\]<>~]/g, '\\$&').replace(/\n/g, '  \n');
  return before + marks.reduce((inner, mark) => (MARKS[mark] ? MARKS[mark].join(inner) : inner), escaped) + after;
}
