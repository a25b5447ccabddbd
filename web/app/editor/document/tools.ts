import type { Editor } from '@tiptap/core';
import { addColumnAfter, addRowAfter, deleteColumn, deleteRow, deleteTable, isInTable } from '@tiptap/pm/tables';
import type { EditorState, Transaction } from '@tiptap/pm/state';
import { BetweenHorizontalEnd, BetweenVerticalEnd, Heading2, Heading3, Plus, SquareCheck } from 'lucide-react';
import { Columns2, Rows2, Trash2 } from 'lucide-react';
import type { Tool } from '../toolbar.tsx';
import { deleteBlock, moveBlock, selectedPlace } from './blocks.ts';

type Command = (state: EditorState, dispatch?: (transaction: Transaction) => void) => boolean;

const onTable = (command: Command) => (editor: Editor) => {
  if (!isInTable(editor.state)) return;
  command(editor.state, editor.view.dispatch);
  editor.view.focus();
};

/** Types a `/` as a word of its own, which opens the menu. */
function beginInsertion(editor: Editor): void {
  const before = editor.state.selection.$from.nodeBefore;
  const isOwnWord = !before || /\s$/.test(before.textContent);
  editor
    .chain()
    .focus()
    .insertContent({ type: 'text', text: isOwnWord ? '/' : ' /' })
    .run();
}

/** Makes the items of a list tasks with a box, or ordinary ones again. */
function toggleTask(editor: Editor): void {
  if (!editor.isActive('listItem')) editor.chain().focus().toggleBulletList().run();
  const isTask = editor.getAttributes('listItem')['task'] !== null;
  editor
    .chain()
    .focus()
    .updateAttributes('listItem', { task: isTask ? null : false })
    .run();
}

export const FIRST_TOOLS: readonly Tool[] = [
  { name: '', label: 'editor.insert', icon: Plus, run: beginInsertion },
  {
    name: 'heading2',
    label: 'editor.heading',
    icon: Heading2,
    keys: 'Control+Alt+2',
    run: (editor) => editor.chain().focus().toggleHeading({ level: 2 }).run(),
  },
  {
    name: 'heading3',
    label: 'editor.subheading',
    icon: Heading3,
    keys: 'Control+Alt+3',
    run: (editor) => editor.chain().focus().toggleHeading({ level: 3 }).run(),
  },
];
export const LAST_TOOLS: readonly Tool[] = [{ name: '', label: 'editor.task', icon: SquareCheck, run: toggleTask }];
export const TABLE_TOOLS: readonly Tool[] = [
  { name: '', label: 'editor.row_add', icon: BetweenHorizontalEnd, run: onTable(addRowAfter) },
  { name: '', label: 'editor.column_add', icon: BetweenVerticalEnd, run: onTable(addColumnAfter) },
  { name: '', label: 'editor.row_remove', icon: Rows2, run: onTable(deleteRow) },
  { name: '', label: 'editor.column_remove', icon: Columns2, run: onTable(deleteColumn) },
  { name: '', label: 'editor.table_remove', icon: Trash2, run: onTable(deleteTable) },
];

export type Moved = 'editor.moved_up' | 'editor.moved_down' | 'editor.removed';

/** Alt+Shift with an arrow key moves the block of the cursor, with Delete it deletes it. */
export function blockShortcut(editor: Editor, { key, altKey, shiftKey }: KeyboardEvent): Moved | true | undefined {
  if (!altKey || !shiftKey || !['ArrowUp', 'ArrowDown', 'Delete', 'Backspace'].includes(key)) return undefined;
  const { state, view } = editor;
  const place = selectedPlace(state);
  if (!place) return true;
  if (key === 'Delete' || key === 'Backspace') {
    deleteBlock(state, place, view.dispatch);
    return 'editor.removed';
  }
  const isMoved = moveBlock(state, place, key === 'ArrowUp' ? -1 : 1, view.dispatch);
  return isMoved ? (key === 'ArrowUp' ? 'editor.moved_up' : 'editor.moved_down') : true;
}
