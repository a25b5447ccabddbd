import { Extension, mergeAttributes, Node, type Extensions } from '@tiptap/core';
import { tableEditing } from '@tiptap/pm/tables';
import { extensions as base } from '../extensions.ts';

/** Elements that only the editor writes, so that copied blocks stay blocks when they are pasted. */
const BLOCK_TAG = 'data-block';

const written = (name: string) => ({
  default: null,
  parseHTML: (element: HTMLElement) => element.getAttribute(`data-${name}`),
  renderHTML: (attributes: Record<string, unknown>) =>
    attributes[name] === null ? {} : { [`data-${name}`]: attributes[name] },
});

/** A block as a node. Its first line is kept as written, without the brackets. */
const blockNode = (name: string, options: { group?: string; content?: string }) =>
  Node.create({
    name,
    ...options,
    atom: options.content === undefined,
    defining: true,
    draggable: true,
    addAttributes: () => ({
      name: { ...written('name'), default: '' },
      colons: { default: 3, rendered: false },
      label: written('label'),
      settings: written('settings'),
    }),
    parseHTML: () => [{ tag: `div[${BLOCK_TAG}=${name}]` }],
    renderHTML: ({ HTMLAttributes }) => [
      'div',
      mergeAttributes(HTMLAttributes, { [BLOCK_TAG]: name }),
      ...(options.content === undefined ? [] : [0 as const]),
    ],
  });

const PLAIN_BLOCKS =
  '(paragraph | heading | bulletList | orderedList | blockquote | codeBlock | horizontalRule | table | raw)+';

/** Markdown that the editor cannot show, as text. */
const Raw = Node.create({
  name: 'raw',
  group: 'block',
  content: 'text*',
  marks: '',
  code: true,
  defining: true,
  isolating: true,
  parseHTML: () => [{ tag: `pre[${BLOCK_TAG}=raw]`, preserveWhitespace: 'full' }],
  renderHTML: () => ['pre', { [BLOCK_TAG]: 'raw' }, 0],
});

const Picture = Node.create({
  name: 'picture',
  group: 'inline',
  inline: true,
  atom: true,
  draggable: true,
  addAttributes: () => ({ src: { default: '' }, alt: { default: '' }, title: { default: null } }),
  parseHTML: () => [{ tag: 'img[data-src]', getAttrs: (image) => ({ src: image.dataset['src'] }) }],
  renderHTML: ({ node: { attrs } }) => ['img', { 'data-src': attrs['src'], alt: attrs['alt'], title: attrs['title'] }],
  renderText: ({ node }) => String(node.attrs['alt']),
});

const ALIGNMENTS = ['left', 'center', 'right'];
/** The names under which the package that edits tables knows their nodes. */
const TABLE_ROLES: Record<string, string> = {
  table: 'table',
  tableRow: 'row',
  tableHeader: 'header_cell',
  tableCell: 'cell',
};
const cell = (name: string, tag: string) =>
  Node.create({
    name,
    content: 'paragraph',
    isolating: true,
    // Markdown has no merged cells; the package that edits tables needs the three attributes.
    addAttributes: () => ({
      colspan: { default: 1, rendered: false, parseHTML: () => 1 },
      rowspan: { default: 1, rendered: false, parseHTML: () => 1 },
      colwidth: { default: null, rendered: false },
      align: {
        default: null,
        parseHTML: ({ align, style }: HTMLTableCellElement) =>
          ALIGNMENTS.find((each) => each === (align || style.textAlign)) ?? null,
      },
    }),
    parseHTML: () => [{ tag }],
    renderHTML: ({ HTMLAttributes }) => [tag, HTMLAttributes, 0],
  });

const Row = Node.create({
  name: 'tableRow',
  content: '(tableHeader | tableCell)+',
  parseHTML: () => [{ tag: 'tr' }],
  renderHTML: () => ['tr', 0],
});

const Table = Node.create({
  name: 'table',
  group: 'block',
  content: 'tableRow+',
  isolating: true,
  // Called for every node of the editor.
  extendNodeSchema: ({ name }) => (Object.hasOwn(TABLE_ROLES, name) ? { tableRole: TABLE_ROLES[name] } : {}),
  parseHTML: () => [{ tag: 'table' }],
  renderHTML: ({ HTMLAttributes }) => ['div', { ...HTMLAttributes, class: 'table-scroll' }, ['table', ['tbody', 0]]],
  addProseMirrorPlugins: () => [tableEditing()],
});

/** `task` is null for an ordinary item, else whether its box is ticked. */
const Tasks = Extension.create({
  name: 'tasks',
  addGlobalAttributes: () => [
    {
      types: ['listItem'],
      attributes: {
        task: {
          default: null,
          keepOnSplit: true,
          parseHTML: (element: HTMLElement) => ({ open: false, done: true })[element.dataset['task'] ?? ''] ?? null,
          renderHTML: ({ task }: Record<string, unknown>) =>
            task === null ? {} : { 'data-task': task ? 'done' : 'open' },
        },
      },
    },
  ],
});

/** Everything that the editor of lessons and articles can represent. */
export const documentExtensions: Extensions = [
  ...base.filter(({ name }) => name !== 'mention' && name !== 'picture'),
  blockNode('frame', { group: 'block', content: 'block+' }),
  blockNode('group', { group: 'block', content: 'part+' }),
  blockNode('part', { content: 'block+' }),
  blockNode('quiz', { group: 'block', content: PLAIN_BLOCKS }),
  blockNode('leaf', { group: 'block' }),
  Raw,
  Picture,
  cell('tableHeader', 'th'),
  cell('tableCell', 'td'),
  Row,
  Table,
  Tasks,
];
