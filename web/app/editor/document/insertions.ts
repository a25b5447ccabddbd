import type { Editor } from '@tiptap/core';
import type { MessageKey } from '../../message-keys.ts';
import { ASK_UPLOAD } from '../field-events.ts';
import { templateOf, type MenuBlock, type TemplateWords } from '../markdown-blocks.ts';
import { insertBlocks } from './blocks.ts';
import { openDocument } from './open.ts';

/** The blocks and uploads that the page allows in its texts. */
export type Allowed = {
  blocks: readonly MenuBlock[];
  /** Files can be uploaded to this text. */
  canUpload: boolean;
};

export type Insertion = { name: string; label: MessageKey; run: (editor: Editor) => void };

const chain = (run: (chained: ReturnType<Editor['chain']>) => ReturnType<Editor['chain']>) => (editor: Editor) =>
  void run(editor.chain().focus()).run();

/** Everything that the menu of the editor inserts, in its order. */
export function insertionsOf({ blocks, canUpload }: Allowed, words: TemplateWords, field: HTMLTextAreaElement) {
  const upload = () => field.dispatchEvent(new Event(ASK_UPLOAD, { bubbles: true }));
  const plain: Insertion[] = [
    { name: 'heading', label: 'editor.heading', run: chain((to) => to.setHeading({ level: 2 })) },
    { name: 'subheading', label: 'editor.subheading', run: chain((to) => to.setHeading({ level: 3 })) },
    { name: 'list', label: 'compose.list', run: chain((to) => to.toggleBulletList()) },
    { name: 'numbers', label: 'compose.numbers', run: chain((to) => to.toggleOrderedList()) },
    { name: 'quote', label: 'compose.quote', run: chain((to) => to.toggleBlockquote()) },
    { name: 'table', label: 'editor.table', run: (editor) => insertMarkdown(editor, TABLE, '') },
    ...(canUpload ? [{ name: 'upload', label: 'editor.upload' as const, run: upload }] : []),
  ];
  const own = blocks.map((name): Insertion => {
    const { text, first } = templateOf(name, words);
    return { name, label: labelOf(name), run: (editor) => insertMarkdown(editor, text, first) };
  });
  const last: Insertion[] = [
    { name: 'line', label: 'editor.line', run: chain((to) => to.setHorizontalRule()) },
    { name: 'codeBlock', label: 'editor.code_block', run: chain((to) => to.toggleCodeBlock()) },
    {
      name: 'raw',
      label: 'editor.block_raw',
      run: ({ state, view }) => insertBlocks(state, [state.schema.node('raw')], view.dispatch),
    },
  ];
  return [...plain, ...own, ...last];
}

const labelOf = (name: MenuBlock): MessageKey =>
  name === 'typed' || name === 'matching' || name === 'ordering' || name === 'gaps' || name === 'open'
    ? `article.tool_${name}`
    : `editor.block_${name}`;

const TABLE = '|  |  |\n|---|---|\n|  |  |\n|  |  |';

/** Inserts a template and selects its first words, which the author replaces. */
function insertMarkdown(editor: Editor, markdown: string, first: string): void {
  const { state, view, schema } = editor;
  const { doc } = openDocument(schema, markdown) ?? {};
  if (doc) insertBlocks(state, doc.children, view.dispatch);
  view.focus();
  if (first === '') return;
  const { from } = editor.state.selection;
  const to = Math.min(editor.state.doc.content.size, from + (doc?.content.size ?? 0));
  editor.state.doc.nodesBetween(from, to, (node, at) => {
    if (node.isText && node.text === first) editor.commands.setTextSelection({ from: at, to: at + first.length });
  });
}
