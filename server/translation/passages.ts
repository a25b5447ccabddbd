import {
  hasWords,
  keepsMarks,
  type Piece,
  readMarked,
  stretchesOf,
  withSpaceOf,
  withStretches,
  wordsOf,
  writeMarked,
} from './marked-text.ts';

/** Something that is translated as one: a paragraph, a heading, a cell. */
export type TextPassage = {
  pieces: Piece[];
  /** Is that a translation that can be put in its place? Asked when no mark is missing. */
  fits?(answer: Piece[]): boolean;
};

/** Translates marked texts (`marked-text.ts`), each for itself; answers as many, in their order. */
export type Say = (texts: string[]) => Promise<string[]>;

/** An engine answered something that is no translation of what it was given. */
export class UnfaithfulAnswer extends Error {}

/**
 * Translates passages whole, which is how words find their form. Where an answer has lost a mark or moved one where it
 * cannot stand, that passage goes again, each stretch between its marks for itself.
 */
export async function translatePassages(passages: readonly TextPassage[], say: Say): Promise<Piece[][]> {
  const done = passages.map(({ pieces }) => pieces);
  const spoken = [...passages.entries()].filter(([, { pieces }]) => hasWords(wordsOf(pieces)));
  const answers = await ask(
    spoken.map(([, { pieces }]) => writeMarked(pieces)),
    say,
  );
  const failed: [number, TextPassage][] = [];
  for (const [at, [index, passage]] of spoken.entries()) {
    const answer = readMarked(answers[at] ?? '');
    if (answer && fits(passage, answer)) done[index] = answer;
    else failed.push([index, passage]);
  }
  if (failed.length === 0) return done;
  const stretches = failed.map(([, { pieces }]) => stretchesOf(pieces));
  const words = await ask(
    stretches.flat().map((stretch) => writeMarked([stretch.trim()])),
    say,
  );
  let at = 0;
  for (const [order, [index, passage]] of failed.entries()) {
    const translated = (stretches[order] ?? []).map((stretch) => withSpaceOf(stretch, plainAnswer(words[at++] ?? '')));
    const answer = withStretches(passage.pieces, translated);
    const isWhole = translated.every((stretch) => stretch.trim() !== '');
    if (!isWhole || !fits(passage, answer)) throw new UnfaithfulAnswer('a passage came back in another form');
    done[index] = answer;
  }
  return done;
}

const fits = (passage: TextPassage, answer: Piece[]) =>
  keepsMarks(passage.pieces, answer) && isOfSize(passage.pieces, answer) && (passage.fits?.(answer) ?? true);

async function ask(texts: string[], say: Say): Promise<string[]> {
  if (texts.length === 0) return [];
  const answers = await say(texts);
  if (answers.length !== texts.length) throw new UnfaithfulAnswer('another number of texts came back');
  return answers;
}

/** A stretch has no marks: an answer that has some is none. */
function plainAnswer(text: string): string {
  const pieces = readMarked(text) ?? [];
  return pieces.every((piece) => typeof piece === 'string') ? wordsOf(pieces) : '';
}

/** No language needs more room than that; an engine that tells stories does. */
const isOfSize = (original: readonly Piece[], answer: readonly Piece[]) =>
  wordsOf(answer).length <= 200 + 6 * wordsOf(original).length;
