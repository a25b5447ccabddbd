import type { RichText, RichTextNode } from '@officium/contract/rich-text';
import { type Piece, withSpaceOf, wordsOf } from './marked-text.ts';
import { translatePassages, type TextPassage, type TranslateTexts } from './passages.ts';
import { type Counter, createCounter, keep, type Kept, protect, restore } from './protected.ts';

/** The texts of a block as one passage. Each node is one piece, so that translated words map back to their nodes. */
type Block = { nodes: RichTextNode[]; passage: TextPassage };

/** Translates a document block by block. Nodes, marks and addresses keep their order and position. */
export async function translateRichText(document: RichText, translateTexts: TranslateTexts): Promise<RichText> {
  const kept: Kept = new Map();
  const counter = createCounter();
  const blocks = blocksOf(document).map((nodes): Block => ({ nodes, passage: passageOf(nodes, kept, counter) }));
  const answers = await translatePassages(
    blocks.map(({ passage }) => passage),
    translateTexts,
  );
  const values = new Map<RichTextNode, string>();
  for (const [index, { nodes, passage }] of blocks.entries()) {
    const pieces = align(passage.pieces, answers[index] ?? []) ?? passage.pieces;
    for (const [at, node] of nodes.entries()) values.set(node, valueOf(node, pieces[at], kept));
  }
  const reword = (node: RichTextNode): RichTextNode => {
    if (node.value !== undefined) return { ...node, value: values.get(node) ?? node.value };
    return node.content ? { ...node, content: node.content.map(reword) } : node;
  };
  return reword(document) as RichText; // a document like the original
}

const isInline = ({ nodeType }: RichTextNode) => nodeType === 'text' || nodeType === 'hyperlink';

/** Collects the text nodes of each block in reading order. */
function blocksOf(node: RichTextNode): RichTextNode[][] {
  const blocks: RichTextNode[][] = [];
  let line: RichTextNode[] = [];
  for (const child of node.content ?? []) {
    if (isInline(child)) line.push(...(child.nodeType === 'text' ? [child] : (child.content ?? [])));
    else {
      if (line.length > 0) blocks.push(line);
      line = [];
      blocks.push(...blocksOf(child));
    }
  }
  return line.length > 0 ? [...blocks, line] : blocks;
}

const isCode = ({ marks }: RichTextNode) => marks?.some(({ type }) => type === 'code') ?? false;
const isMarked = ({ marks }: RichTextNode) => (marks?.length ?? 0) > 0;

function passageOf(nodes: RichTextNode[], kept: Kept, counter: Counter): TextPassage {
  const pieces: Piece[] = [];
  for (const node of nodes) {
    const value = node.value ?? '';
    const words = protect(value, kept, counter);
    // Blank nodes and code stay. Unmarked words between two marks are unambiguous; all other nodes need a group.
    if (value.trim() === '') pieces.push(value);
    else if (isCode(node)) pieces.push(keep(value, kept, counter));
    else if (!isMarked(node) && words.length === 1 && typeof words[0] === 'string' && typeof pieces.at(-1) !== 'string')
      pieces.push(words[0]);
    else pieces.push({ group: counter.next(), pieces: words });
  }
  return { pieces, fits: (answer) => align(pieces, answer) !== undefined };
}

const kindOf = (piece: Piece) =>
  typeof piece === 'string' ? 'words' : 'atom' in piece ? `x${piece.atom}` : `g${piece.group}`;
const isBlank = (piece: Piece) => typeof piece === 'string' && piece.trim() === '';

/** Aligns the pieces of an answer with those of the original. Undefined when their order differs. */
function align(original: readonly Piece[], answer: readonly Piece[]): Piece[] | undefined {
  const withText = answer.filter((piece) => !isBlank(piece));
  let at = 0;
  const aligned = original.map((piece) => (isBlank(piece) ? piece : withText[at++]));
  if (at !== withText.length) return undefined;
  const isSame = aligned.every((piece, index) => {
    const before = original[index];
    return piece !== undefined && before !== undefined && kindOf(piece) === kindOf(before);
  });
  return isSame ? aligned.map((piece) => piece as Piece) : undefined; // checked above
}

function valueOf(node: RichTextNode, piece: Piece | undefined, kept: Kept): string {
  const value = node.value ?? '';
  if (piece === undefined || isBlank(piece)) return value;
  if (typeof piece !== 'string' && 'atom' in piece) return kept.get(piece.atom) ?? value;
  const pieces = typeof piece === 'string' ? [piece] : piece.pieces;
  return wordsOf(pieces).trim() === '' ? restore(pieces, kept) : withSpaceOf(value, restore(pieces, kept));
}
