import type { Node, NodeType, ResolvedPos } from '@tiptap/pm/model';
import { TextSelection, type EditorState, type Transaction } from '@tiptap/pm/state';

type Dispatch = (transaction: Transaction) => void;
/** A block in the place where it can be moved: among the blocks of the text or of a frame. */
export type Place = { node: Node; at: number; parent: Node; index: number };

const HOLDERS = new Set(['doc', 'frame', 'group', 'part', 'quiz']);
const FRAMES = new Set(['frame', 'group', 'part', 'quiz']);
const MAX_NESTING = 4;

/** The innermost movable block at a position. */
export function placeOf($pos: ResolvedPos): Place | undefined {
  for (let depth = $pos.depth; depth >= 0; depth--) {
    if (!HOLDERS.has($pos.node(depth).type.name)) continue;
    const parent = $pos.node(depth);
    const index = Math.min($pos.index(depth), parent.childCount - 1);
    return { node: parent.child(index), at: $pos.posAtIndex(index, depth), parent, index };
  }
  return undefined;
}

/** The block at the selection; a selected block itself. */
export function selectedPlace({ selection, doc }: EditorState): Place | undefined {
  return placeOf('node' in selection ? doc.resolve(selection.from) : selection.$from);
}

/** Swaps a block with its neighbour; past the end of a frame, it leaves the frame. Returns whether it could. */
export function moveBlock(state: EditorState, place: Place, step: -1 | 1, dispatch?: Dispatch): boolean {
  const { node, at, parent, index } = place;
  const beside = parent.maybeChild(index + step);
  const $at = state.doc.resolve(at);
  const target = beside
    ? step === 1
      ? at + node.nodeSize + beside.nodeSize
      : at - beside.nodeSize
    : outside($at, node.type, step);
  if (target === undefined) return false;
  if (!beside && parent.childCount === 1) return false; // a frame is never empty
  const offset = state.selection.from - at;
  const { tr } = state;
  tr.delete(at, at + node.nodeSize);
  const to = tr.mapping.map(target, -1);
  tr.insert(to, node);
  const inside = Math.min(Math.max(offset, 1), node.nodeSize - 1);
  tr.setSelection(TextSelection.near(tr.doc.resolve(to + inside)));
  dispatch?.(tr.scrollIntoView());
  return true;
}

function outside($at: ResolvedPos, type: NodeType, step: -1 | 1): number | undefined {
  if ($at.depth === 0 || !FRAMES.has($at.parent.type.name)) return undefined;
  const index = step === 1 ? $at.indexAfter(-1) : $at.index(-1);
  const isAllowed = $at.node(-1).canReplaceWith(index, index, type);
  return isAllowed ? (step === 1 ? $at.after() : $at.before()) : undefined;
}

export function deleteBlock(state: EditorState, { node, at, parent }: Place, dispatch: Dispatch): void {
  const { tr, schema } = state;
  const holder = state.doc.resolve(at);
  // The last block of a frame goes with the frame; the last one of the text leaves an empty line.
  if (parent.childCount > 1) tr.delete(at, at + node.nodeSize);
  else if (holder.depth === 0) tr.replaceWith(at, at + node.nodeSize, schema.node('paragraph'));
  else {
    const outer = placeOf(state.doc.resolve(holder.before()));
    return outer && deleteBlock(state, outer, dispatch);
  }
  tr.setSelection(TextSelection.near(tr.doc.resolve(Math.min(at, tr.doc.content.size))));
  dispatch(tr.scrollIntoView());
}

/** Inserts blocks in place of an empty line, else below the block of the cursor, where they may stand. */
export function insertBlocks(state: EditorState, nodes: readonly Node[], dispatch: Dispatch): void {
  const [first] = nodes;
  const { $from } = state.selection;
  if (!first) return;
  let depth = $from.depth;
  while (depth > 0 && !canHold($from, depth - 1, first)) depth--;
  const { tr } = state;
  const isEmptyLine = depth === $from.depth && $from.parent.isTextblock && $from.parent.content.size === 0;
  const at = depth === 0 ? state.doc.content.size : isEmptyLine ? $from.before(depth) : $from.after(depth);
  if (isEmptyLine) tr.replaceWith(at, $from.after(depth), nodes);
  else tr.insert(at, nodes);
  const end = at + nodes.reduce((size, { nodeSize }) => size + nodeSize, 0);
  // A line to write on below a block that the cursor does not leave by itself.
  if (end === tr.doc.content.size && nodes.at(-1)?.type.name !== 'paragraph')
    tr.insert(end, state.schema.node('paragraph'));
  tr.setSelection(TextSelection.near(tr.doc.resolve(Math.min(at + 1, tr.doc.content.size))));
  dispatch(tr.scrollIntoView());
}

function canHold($pos: ResolvedPos, depth: number, node: Node): boolean {
  const holder = $pos.node(depth);
  const index = $pos.indexAfter(depth);
  if (!HOLDERS.has(holder.type.name) || !holder.canReplaceWith(index, index, node.type)) return false;
  let frames = heightOf(node);
  for (let level = 1; level <= depth; level++) if (FRAMES.has($pos.node(level).type.name)) frames++;
  return frames <= MAX_NESTING;
}

function heightOf(node: Node): number {
  const inside = Math.max(0, ...node.children.map(heightOf));
  return inside + (FRAMES.has(node.type.name) ? 1 : 0);
}
