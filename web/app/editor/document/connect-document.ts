import type { Editor } from '@tiptap/core';
import { TextSelection } from '@tiptap/pm/state';
import { INSERT_MARKDOWN } from '../field-events.ts';
import { insertBlocks } from './blocks.ts';
import { offsetInSource, positionInDocument } from './caret.ts';
import { openDocument } from './open.ts';
import { Known, writeDocument } from './write.ts';

/** The form field of an editor, and the cursor in both. */
export type DocumentField = {
  disconnect: () => void;
  /** Puts the cursor where it was in the Markdown. */
  placeCaret: (offset: number) => void;
  /** The position of the cursor in the Markdown. */
  caret: () => number;
};

/**
 * Fills the editor from the form field and writes every change back; the field stays byte for byte as it was until
 * then. A field that changes by itself, emptied or filled from a draft, fills the editor again.
 */
export function connectDocument(editor: Editor, textArea: HTMLTextAreaElement): DocumentField {
  const { schema } = editor;
  let known = new Known();
  let written = textArea.value;
  const write = () => {
    written = writeDocument(editor.state.doc, known);
    textArea.value = written;
    textArea.dispatchEvent(new Event('input', { bubbles: true }));
  };
  const fill = () => {
    const opened = openDocument(schema, textArea.value);
    if (!opened) return;
    ({ known } = opened);
    const { tr } = editor.state;
    tr.replaceWith(0, tr.doc.content.size, opened.doc.content)
      .setMeta('addToHistory', false)
      .setMeta('preventAutolink', true);
    editor.view.dispatch(tr.setMeta('preventUpdate', true));
    written = textArea.value;
  };
  const refill = () => setTimeout(() => textArea.value !== written && fill());
  const insert = (event: Event) => {
    event.preventDefault();
    const { doc } = openDocument(schema, (event as CustomEvent<string>).detail) ?? {};
    if (doc) insertBlocks(editor.state, doc.children, editor.view.dispatch);
    editor.view.focus();
  };
  editor.on('update', write);
  fill();
  const { form } = textArea;
  form?.addEventListener('reset', refill);
  textArea.addEventListener('refill', refill);
  textArea.addEventListener(INSERT_MARKDOWN, insert);
  return {
    disconnect: () => {
      form?.removeEventListener('reset', refill);
      textArea.removeEventListener('refill', refill);
      textArea.removeEventListener(INSERT_MARKDOWN, insert);
    },
    caret: () => offsetInSource(editor.state.doc, editor.state.selection.from, known),
    placeCaret: (offset) => {
      const { tr, doc } = editor.state;
      const at = positionInDocument(schema, doc, textArea.value, offset);
      editor.view.dispatch(tr.setSelection(TextSelection.near(doc.resolve(at))).scrollIntoView());
    },
  };
}
