import {
  hasWords,
  keepsMarks,
  type Piece,
  readMarked,
  wordRunsOf,
  withSpaceOf,
  withWordRuns,
  wordsOf,
  writeMarked,
} from './marked-text.ts';

/** A unit of translation: a paragraph, a heading or a table cell. */
export type TextPassage = {
  pieces: Piece[];
  /** Checks that the answer can replace the passage. Called only when no mark is missing. */
  fits?(answer: Piece[]): boolean;
};

/** Translates marked texts (`marked-text.ts`) independently. Returns one translation per text, in order. */
export type TranslateTexts = (texts: string[]) => Promise<string[]>;

/** The engine's answer is not a valid translation of the input. */
export class UnfaithfulAnswer extends Error {}

/**
 * Translates whole passages, because inflection depends on context. If an answer lost or misplaced a mark, the runs of
 * words between the marks of that passage are translated separately.
 */
export async function translatePassages(
  passages: readonly TextPassage[],
  translateTexts: TranslateTexts,
): Promise<Piece[][]> {
  const done = passages.map(({ pieces }) => pieces);
  const translatable = [...passages.entries()].filter(([, { pieces }]) => hasWords(wordsOf(pieces)));
  const answers = await ask(
    translatable.map(([, { pieces }]) => writeMarked(pieces)),
    translateTexts,
  );
  const failed: [number, TextPassage][] = [];
  for (const [at, [index, passage]] of translatable.entries()) {
    const answer = readMarked(answers[at] ?? '');
    if (answer && fits(passage, answer)) done[index] = answer;
    else failed.push([index, passage]);
  }
  if (failed.length === 0) return done;
  const wordRuns = failed.map(([, { pieces }]) => wordRunsOf(pieces));
  const words = await ask(
    wordRuns.flat().map((run) => writeMarked([run.trim()])),
    translateTexts,
  );
  let at = 0;
  for (const [order, [index, passage]] of failed.entries()) {
    const translated = (wordRuns[order] ?? []).map((run) => withSpaceOf(run, plainAnswer(words[at++] ?? '')));
    const answer = withWordRuns(passage.pieces, translated);
    const isWhole = translated.every((run) => run.trim() !== '');
    if (!isWhole || !fits(passage, answer)) throw new UnfaithfulAnswer('structure of a passage changed');
    done[index] = answer;
  }
  return done;
}

const fits = (passage: TextPassage, answer: Piece[]) =>
  keepsMarks(passage.pieces, answer) && isOfSize(passage.pieces, answer) && (passage.fits?.(answer) ?? true);

async function ask(texts: string[], translateTexts: TranslateTexts): Promise<string[]> {
  if (texts.length === 0) return [];
  const answers = await translateTexts(texts);
  if (answers.length !== texts.length) throw new UnfaithfulAnswer('number of texts changed');
  return answers;
}

/** A run of words has no marks, so an answer with marks is invalid and becomes empty. */
function plainAnswer(text: string): string {
  const pieces = readMarked(text) ?? [];
  return pieces.every((piece) => typeof piece === 'string') ? wordsOf(pieces) : '';
}

/** A translation longer than this contains added text, in any language. */
const isOfSize = (original: readonly Piece[], answer: readonly Piece[]) =>
  wordsOf(answer).length <= 200 + 6 * wordsOf(original).length;
