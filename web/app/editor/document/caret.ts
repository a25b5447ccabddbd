import { Fragment, Slice, type Node, type Schema } from '@tiptap/pm/model';
import { openDocument } from './open.ts';
import { writeDocument, type Known } from './write.ts';

/** A private character that stands for the cursor while a text is written or opened. */
const CARET = '\uE0CA';

/** The position in the Markdown source of a position in the document. */
export function offsetInSource(doc: Node, position: number, known: Known): number {
  const $at = doc.resolve(position);
  if (!$at.parent.isTextblock) return writeDocument(doc.cut(0, position), known).length;
  const caret = doc.type.schema.text(CARET, $at.marks());
  const marked = doc.replace(position, position, new Slice(Fragment.from(caret), 0, 0));
  const before = writeDocument(marked, known).indexOf(CARET);
  return before === -1 ? writeDocument(doc, known).length : before;
}

/** The position in the opened document of a position in its source. */
export function positionInDocument(schema: Schema, doc: Node, source: string, offset: number): number {
  const marked = openDocument(schema, source.slice(0, offset) + CARET + source.slice(offset))?.doc;
  const found = marked && findCaret(marked);
  // Inside markup the character changes what the text means; the block is then near enough.
  if (found !== undefined && found <= doc.content.size) return found;
  const before = openDocument(schema, source.slice(0, offset))?.doc.content.size ?? 0;
  return Math.min(before, doc.content.size);
}

function findCaret(doc: Node): number | undefined {
  let found: number | undefined;
  doc.descendants((node, at) => {
    const index = node.isText ? (node.text?.indexOf(CARET) ?? -1) : -1;
    if (index !== -1) found = at + index;
    return found === undefined;
  });
  return found;
}
