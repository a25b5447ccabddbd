import { unescapeHtml } from '../text/html.ts';

/**
 * A part of a text for an engine: words, an atom that must stay unchanged (an address, a mention, code), or a group (a
 * link, bold). Written with XLIFF-like tags: `Ask <x id="1"/> about <g id="2">the plan</g>`.
 */
export type Piece = string | { atom: number } | { group: number; pieces: Piece[] };

const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

export function writeMarked(pieces: readonly Piece[]): string {
  return pieces
    .map((piece) => {
      if (typeof piece === 'string') return escape(piece);
      if ('atom' in piece) return `<x id="${piece.atom}"/>`;
      return `<g id="${piece.group}">${writeMarked(piece.pieces)}</g>`;
    })
    .join('');
}

const TAG = /<(?:x id=["']?(\d{1,6})["']?\s*(?:\/>|><\/x>)|g id=["']?(\d{1,6})["']?\s*>|(\/)g\s*>)/gi;

/** Parses the output of `writeMarked` or its translation. Undefined when tags are not properly nested. */
export function readMarked(text: string): Piece[] | undefined {
  const open: { group: number; pieces: Piece[] }[] = [];
  const root: Piece[] = [];
  let at = 0;
  const here = () => open.at(-1)?.pieces ?? root;
  const pushWords = (words: string) => words && here().push(plainOf(words));
  for (const match of text.matchAll(TAG)) {
    const [tag, atom, group, closing] = match;
    pushWords(text.slice(at, match.index));
    at = match.index + tag.length;
    if (atom !== undefined) here().push({ atom: Number(atom) });
    else if (group !== undefined) open.push({ group: Number(group), pieces: [] });
    else if (closing !== undefined) {
      const closed = open.pop();
      if (!closed) return undefined;
      here().push(closed);
    }
  }
  pushWords(text.slice(at));
  return open.length === 0 ? root : undefined;
}

/** Decodes entities, including those that engines add. */
function plainOf(text: string): string {
  const numbered = text.replace(
    /&#(?:x([0-9a-f]{1,6})|(\d{1,7}));/gi,
    (entity: string, hex?: string, decimal?: string) => {
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : entity;
    },
  );
  return unescapeHtml(numbered.replaceAll('&nbsp;', '\u00A0').replaceAll('&apos;', "'")).toWellFormed();
}

export const hasWords = (text: string) => /\p{L}/u.test(text);

/** Concatenates the words, without atoms. */
export function wordsOf(pieces: readonly Piece[]): string {
  return pieces
    .map((piece) => (typeof piece === 'string' ? piece : 'atom' in piece ? '' : wordsOf(piece.pieces)))
    .join('');
}

/** Lists the atoms and groups, marking groups without words. A translation must have the same ones in any order. */
function marksOf(pieces: readonly Piece[]): string[] {
  return pieces.flatMap((piece) => {
    if (typeof piece === 'string') return [];
    if ('atom' in piece) return [`x${piece.atom}`];
    return [`g${piece.group}${wordsOf(piece.pieces).trim() === '' ? ' blank' : ''}`, ...marksOf(piece.pieces)];
  });
}

/** Checks that the answer has every mark of the original exactly once, and words if the original has words. */
export function keepsMarks(original: readonly Piece[], answer: readonly Piece[]): boolean {
  const marks = (pieces: readonly Piece[]) => marksOf(pieces).toSorted().join(' ');
  return marks(original) === marks(answer) && hasWords(wordsOf(original)) === (wordsOf(answer).trim() !== '');
}

/** Returns the runs of words between the marks, in reading order. */
export function wordRunsOf(pieces: readonly Piece[]): string[] {
  return pieces.flatMap((piece) => {
    if (typeof piece === 'string') return hasWords(piece) ? [piece] : [];
    return 'atom' in piece ? [] : wordRunsOf(piece.pieces);
  });
}

/** Replaces each run of words in the original. */
export function withWordRuns(pieces: readonly Piece[], words: string[]): Piece[] {
  let at = 0;
  const reword = (piece: Piece): Piece => {
    if (typeof piece === 'string') return hasWords(piece) ? (words[at++] ?? piece) : piece;
    return 'atom' in piece ? piece : { group: piece.group, pieces: piece.pieces.map(reword) };
  };
  return pieces.map(reword);
}

/**
 * Restores the surrounding white space of the original, because engines trim and add spaces. A pattern for the end would
 * take quadratic time on a long run of spaces inside.
 */
export function withSpaceOf(original: string, translated: string): string {
  const start = original.length - original.trimStart().length;
  const end = Math.max(start, original.trimEnd().length);
  return original.slice(0, start) + translated.trim() + original.slice(end);
}
