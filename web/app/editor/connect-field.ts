import type { Editor } from '@tiptap/core';
import type { Node } from '@tiptap/pm/model';
import { openMarkdown, writeMarkdown, type Names } from './markdown.ts';

/**
 * Fills the editor from the form field and writes every change back. A field that changes by itself, emptied after
 * submitting or filled from a draft, fills the editor again. Returns how to disconnect them.
 */
export function connectField(
  editor: Editor,
  textArea: HTMLTextAreaElement,
  { names, unknown }: { names: Names; unknown: string },
): () => void {
  /** The source of blocks that were not edited, which is written back unchanged. */
  let known = new Map<Node, string>();
  let written = textArea.value;

  const write = () => {
    written = writeMarkdown(editor.state.doc, known);
    textArea.value = written;
    textArea.dispatchEvent(new Event('input', { bubbles: true }));
  };
  const fill = () => {
    const opened = openMarkdown(editor.schema, textArea.value, names, unknown);
    if (!opened) return;
    editor.commands.setContent(opened.doc.toJSON(), { emitUpdate: false });
    known = new Map(editor.state.doc.children.map((block, index) => [block, opened.blocks[index] ?? '']));
    if (opened.blocks.length === 0) known.clear();
    written = textArea.value;
  };
  const refill = () => setTimeout(() => textArea.value !== written && fill());

  const insert = (event: Event) => {
    const { url: src, alt } = (event as CustomEvent<{ url: string; alt: string }>).detail; // picture-upload.ts
    event.preventDefault();
    editor
      .chain()
      .focus()
      .insertContent([
        { type: 'paragraph', content: [{ type: 'picture', attrs: { src, alt } }] },
        { type: 'paragraph' },
      ])
      .run();
  };

  editor.on('update', write);
  fill();
  const { form } = textArea;
  form?.addEventListener('reset', refill);
  textArea.addEventListener('refill', refill);
  textArea.addEventListener('insert-picture', insert);
  return () => {
    form?.removeEventListener('reset', refill);
    textArea.removeEventListener('refill', refill);
    textArea.removeEventListener('insert-picture', insert);
  };
}
