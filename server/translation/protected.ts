import type { Piece } from './marked-text.ts';

/** What is kept out of a translation, by the number of its atom. */
export type Kept = Map<number, string>;

// Mentions, addresses, and names that begin with a sign: no engine has anything to say about them.
const PROTECTED =
  /\{\{[0-9a-f-]{36}\}\}|https?:\/\/[^\s<>"'`|]*[^\s<>"'`|.,;:!?)\]}»”’]|[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+|(?<![\p{L}\p{N}_&])[#@][\p{L}\p{N}_][\p{L}\p{N}_-]*/giu;

/** The next free number of an atom or a group. */
export type Counter = { next(): number };
export function createCounter(): Counter {
  let last = 0;
  return { next: () => ++last };
}

/** Puts something aside and leaves an atom in its place. */
export function keep(raw: string, kept: Kept, counter: Counter): Piece {
  const atom = counter.next();
  kept.set(atom, raw);
  return { atom };
}

/** A plain text as pieces: what is protected in it is put aside. */
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

/** The text again, with what was put aside in its place. */
export function restore(pieces: readonly Piece[], kept: Kept): string {
  return pieces
    .map((piece) => {
      if (typeof piece === 'string') return piece;
      return 'atom' in piece ? (kept.get(piece.atom) ?? '') : restore(piece.pieces, kept);
    })
    .join('');
}
