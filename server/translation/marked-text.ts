import { unescapeHtml } from '../text/html.ts';

/**
 * A text as an engine gets it: words, atoms that stay as they are (an address, a mention, code), and groups of words that
 * belong together (a link, bold). It is written with tags as in XLIFF: `Ask <x id="1"/> about <g id="2">the plan</g>`.
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

/** What `writeMarked` wrote, or an engine made of it; undefined when its tags do not close in their order. */
export function readMarked(text: string): Piece[] | undefined {
  const open: { group: number; pieces: Piece[] }[] = [];
  const root: Piece[] = [];
  let at = 0;
  const here = () => open.at(-1)?.pieces ?? root;
  const say = (words: string) => words && here().push(plainOf(words));
  for (const match of text.matchAll(TAG)) {
    const [tag, atom, group, closing] = match;
    say(text.slice(at, match.index));
    at = match.index + tag.length;
    if (atom !== undefined) here().push({ atom: Number(atom) });
    else if (group !== undefined) open.push({ group: Number(group), pieces: [] });
    else if (closing !== undefined) {
      const closed = open.pop();
      if (!closed) return undefined;
      here().push(closed);
    }
  }
  say(text.slice(at));
  return open.length === 0 ? root : undefined;
}

/** Engines write a few entities of their own. */
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

/** The words of a text, without what stays as it is. */
export function wordsOf(pieces: readonly Piece[]): string {
  return pieces
    .map((piece) => (typeof piece === 'string' ? piece : 'atom' in piece ? '' : wordsOf(piece.pieces)))
    .join('');
}

/** Atoms and groups, and which of these say something: an answer must have the same, in whatever order. */
function marksOf(pieces: readonly Piece[]): string[] {
  return pieces.flatMap((piece) => {
    if (typeof piece === 'string') return [];
    if ('atom' in piece) return [`x${piece.atom}`];
    return [`g${piece.group}${wordsOf(piece.pieces).trim() === '' ? ' blank' : ''}`, ...marksOf(piece.pieces)];
  });
}

/** Has the answer every mark of the original once, and words where that has words? */
export function keepsMarks(original: readonly Piece[], answer: readonly Piece[]): boolean {
  const marks = (pieces: readonly Piece[]) => marksOf(pieces).toSorted().join(' ');
  return marks(original) === marks(answer) && hasWords(wordsOf(original)) === (wordsOf(answer).trim() !== '');
}

/** The stretches of words between the marks, in the order of reading. */
export function stretchesOf(pieces: readonly Piece[]): string[] {
  return pieces.flatMap((piece) => {
    if (typeof piece === 'string') return hasWords(piece) ? [piece] : [];
    return 'atom' in piece ? [] : stretchesOf(piece.pieces);
  });
}

/** The original with other words in the place of each stretch. */
export function withStretches(pieces: readonly Piece[], words: string[]): Piece[] {
  let at = 0;
  const reword = (piece: Piece): Piece => {
    if (typeof piece === 'string') return hasWords(piece) ? (words[at++] ?? piece) : piece;
    return 'atom' in piece ? piece : { group: piece.group, pieces: piece.pieces.map(reword) };
  };
  return pieces.map(reword);
}

/** The translated words between the white space of the original: engines trim, and add spaces of their own. */
export function withSpaceOf(original: string, translated: string): string {
  const [before = ''] = /^\s*/u.exec(original) ?? [];
  const [after = ''] = /\s*$/u.exec(original.slice(before.length)) ?? [];
  return before + translated.trim() + after;
}
