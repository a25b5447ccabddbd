import type { Piece } from './marked-text.ts';

/** Text excluded from translation, by atom number. */
export type Kept = Map<number, string>;

// Mentions, addresses, hashtags and handles are not translated.
const PROTECTED =
  /\{\{[0-9a-f-]{36}\}\}|https?:\/\/[^\s<>"'`|]*[^\s<>"'`|.,;:!?)\]}»”’]|[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+|(?<![\p{L}\p{N}_&])[#@][\p{L}\p{N}_][\p{L}\p{N}_-]*/giu;

/** Numbers atoms and groups. */
export type Counter = { next(): number };
export function createCounter(): Counter {
  let last = 0;
  return { next: () => ++last };
}

/** Stores a text and returns the atom that stands for it. */
export function keep(raw: string, kept: Kept, counter: Counter): Piece {
  const atom = counter.next();
  kept.set(atom, raw);
  return { atom };
}

/** Splits a plain text into words and atoms for its protected parts. */
export function protect(text: string, kept: Kept, counter: Counter): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const match of text.matchAll(PROTECTED)) {
    if (match.index > at) pieces.push(text.slice(at, match.index));
    pieces.push(keep(match[0], kept, counter));
    at = match.index + match[0].length;
  }
  if (at < text.length) pieces.push(text.slice(at));
  return pieces;
}

/** Joins pieces and replaces atoms with their stored text. */
export function restore(pieces: readonly Piece[], kept: Kept): string {
  return pieces
    .map((piece) => {
      if (typeof piece === 'string') return piece;
      return 'atom' in piece ? (kept.get(piece.atom) ?? '') : restore(piece.pieces, kept);
    })
    .join('');
}
