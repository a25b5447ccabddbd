import { z } from 'zod';

// Rich text in Contentful's format: https://www.contentful.com/developers/docs/concepts/rich-text/

export const MARKS = ['bold', 'italic', 'underline', 'code', 'superscript', 'subscript', 'strikethrough'] as const;
export const MAX_RICH_TEXT_DEPTH = 20;
export const MAX_RICH_TEXT_NODES = 5_000;
export const NO_CONTENT = 'Content must not be empty';
export const NOT_TOP_LEVEL = 'Root content must be top-level block nodes only';
const MAX_URI_LENGTH = 2_048;

export type RichTextNode = {
  nodeType: string;
  data?: { uri?: string; colspan?: number; rowspan?: number };
  content?: RichTextNode[];
  value?: string;
  marks?: { type: string }[];
};
export type RichText = RichTextNode & { nodeType: 'document'; content: RichTextNode[] };

const TOP_LEVEL = [
  'paragraph',
  'heading-1',
  'heading-2',
  'heading-3',
  'heading-4',
  'heading-5',
  'heading-6',
  'ordered-list',
  'unordered-list',
  'blockquote',
  'hr',
  'table',
];
const INLINE = ['text', 'hyperlink'];
const CELLS = ['table-cell', 'table-header-cell'];
/** How many columns or rows a merged cell covers. */
const SPANS = ['colspan', 'rowspan'];
const MAX_SPAN = 1000;

/** Allowed children per node type. Rules and quotes are also found with bare text. */
const CHILDREN: Record<string, readonly string[]> = {
  document: TOP_LEVEL,
  ...Object.fromEntries(TOP_LEVEL.map((type) => [type, INLINE])),
  'ordered-list': ['list-item'],
  'unordered-list': ['list-item'],
  'list-item': TOP_LEVEL,
  blockquote: [...TOP_LEVEL, ...INLINE],
  hr: ['text'],
  table: ['table-row'],
  'table-row': CELLS,
  'table-cell': TOP_LEVEL,
  'table-header-cell': TOP_LEVEL,
  hyperlink: ['text'],
};

type Fault = { path: (string | number)[]; message: string };
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The first unknown key. */
function unknownKey(value: Record<string, unknown>, known: readonly string[]): string | undefined {
  return Object.keys(value).find((key) => !known.includes(key));
}

function isLinkUri(uri: unknown): uri is string {
  return (
    typeof uri === 'string' &&
    uri.length <= MAX_URI_LENGTH &&
    /^(?:https?:\/\/|mailto:)[^\s\p{Cc}]+$/iu.test(uri) &&
    URL.canParse(uri)
  );
}

const isSpan = (value: unknown) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAX_SPAN;

function textFault(node: Record<string, unknown>): Fault | undefined {
  if (typeof node['value'] !== 'string') return { path: ['value'], message: 'The value of a text must be a string' };
  const marks = node['marks'] ?? [];
  if (!Array.isArray(marks)) return { path: ['marks'], message: 'Marks must be a list' };
  const index = marks.findIndex(
    (mark: unknown) =>
      !isObject(mark) || !(MARKS as readonly unknown[]).includes(mark['type']) || unknownKey(mark, ['type']),
  );
  return index === -1 ? undefined : { path: ['marks', index], message: `A mark must be one of ${MARKS.join(', ')}` };
}

/** Validates a node without its children. */
function nodeFault(node: Record<string, unknown>): Fault | undefined {
  const type = node['nodeType'];
  const unknown = unknownKey(
    node,
    type === 'text' ? ['nodeType', 'data', 'value', 'marks'] : ['nodeType', 'data', 'content'],
  );
  if (unknown !== undefined) return { path: [unknown], message: `A node of type ${type} has no '${unknown}'` };
  const data = node['data'] ?? {};
  if (!isObject(data)) return { path: ['data'], message: 'Data must be an object' };
  const isCell = CELLS.includes(String(type));
  if (unknownKey(data, type === 'hyperlink' ? ['uri'] : isCell ? SPANS : []) !== undefined)
    return { path: ['data'], message: `A node of type ${type} has no such data` };
  if (isCell && !SPANS.every((name) => data[name] === undefined || isSpan(data[name])))
    return { path: ['data'], message: `A span of a table cell must be a whole number from 1 to ${MAX_SPAN}` };
  if (type === 'hyperlink' && !isLinkUri(data['uri']))
    return { path: ['data', 'uri'], message: 'The uri of a hyperlink must be an https, http or mailto address' };
  if (type === 'text') return textFault(node);
  const isEmptyRule = type === 'hr' && node['content'] === undefined;
  if (!Array.isArray(node['content']) && !isEmptyRule)
    return { path: ['content'], message: 'Content must be a list of nodes' };
  return undefined;
}

/**
 * Finds the first fault in reading order; undefined when valid. Iterative, so that nesting cannot exhaust the stack.
 */
export function findRichTextFault(document: unknown): Fault | undefined {
  if (document === undefined || document === null || document === '') return { path: [], message: NO_CONTENT };
  if (!isObject(document) || document['nodeType'] !== 'document')
    return { path: [], message: "Rich text must be a node of type 'document'" };
  const waiting: { node: Record<string, unknown>; path: (string | number)[]; depth: number }[] = [
    { node: document, path: [], depth: 0 },
  ];
  let nodes = 0;
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { node, path, depth } = next;
    const fault = nodeFault(node);
    if (fault) return { path: [...path, ...fault.path], message: fault.message };
    const children = Array.isArray(node['content']) ? (node['content'] as unknown[]) : []; // items are checked below
    nodes += children.length;
    if (nodes > MAX_RICH_TEXT_NODES)
      return { path, message: `Rich text must have at most ${MAX_RICH_TEXT_NODES} nodes` };
    if (children.length > 0 && depth === MAX_RICH_TEXT_DEPTH)
      return { path, message: `Rich text must be nested at most ${MAX_RICH_TEXT_DEPTH} levels deep` };
    const allowed = CHILDREN[String(node['nodeType'])] ?? [];
    for (const [index, child] of children.entries()) {
      if (isObject(child) && typeof child['nodeType'] === 'string' && allowed.includes(child['nodeType'])) continue;
      const message = depth === 0 ? NOT_TOP_LEVEL : `A node of type ${node['nodeType']} may hold ${allowed.join(', ')}`;
      return { path: [...path, 'content', index], message };
    }
    for (const [index, child] of [...children.entries()].reverse())
      waiting.push({
        node: child as Record<string, unknown>, // checked above
        path: [...path, 'content', index],
        depth: depth + 1,
      });
  }
  return undefined;
}

/** The nodes in reading order, root first. */
export function nodesOf(node: RichTextNode): RichTextNode[] {
  return [node, ...(node.content ?? []).flatMap(nodesOf)];
}

/** The concatenated texts. */
export function textOf(document: RichText): string {
  return nodesOf(document)
    .map((node) => node.value ?? '')
    .join('');
}

export const RichTextDocument = z
  .unknown()
  .transform((value, context): RichText => {
    const fault = findRichTextFault(value);
    if (!fault) return value as RichText; // validated above
    context.addIssue({ code: 'custom', ...fault });
    return z.NEVER;
  })
  .meta({
    type: 'object',
    description: `Contentful's document: \`{nodeType: "document", data: {}, content: [<block>…]}\`. Blocks are paragraph, heading-1 to heading-6, ordered-list, unordered-list, list-item, blockquote, hr, table, table-row, table-cell and table-header-cell; the only inline node is hyperlink (\`data.uri\`: https, http or mailto); text nodes carry marks (${MARKS.join(', ')}). At most ${MAX_RICH_TEXT_DEPTH} levels below the root and ${MAX_RICH_TEXT_NODES} nodes without the root; texts count as nodes and levels. Anything else is refused.`,
  });
