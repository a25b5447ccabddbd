import { unescapeHtml } from '#server/text/html.ts';

/** A piece of a lesson that can be quoted, with the heading it stands under and the nearest place a link can lead to. */
export type Passage = { text: string; heading: string | null; anchor: string | null };

export const MAX_QUOTE_LENGTH = 500;

const TAG_OR_TEXT = /<(\/?)([a-z0-9]+)([^>]*)>|[^<]+/g;
const BLOCK =
  /^(?:p|h[1-6]|li|ul|ol|tr|table|pre|div|blockquote|hr|dl|dt|dd|section|figure|figcaption|details|summary)$/;

/** Cuts a long text between sentences; a sentence that is too long stays whole. */
function cut(text: string, locale: string): string[] {
  if (text.length <= MAX_QUOTE_LENGTH) return [text];
  const pieces: string[] = [];
  let piece = '';
  for (const { segment } of new Intl.Segmenter(locale, { granularity: 'sentence' }).segment(text)) {
    if (piece !== '' && piece.length + segment.length > MAX_QUOTE_LENGTH) {
      pieces.push(piece.trim());
      piece = '';
    }
    piece += segment;
  }
  return [...pieces, piece.trim()].filter(Boolean);
}

/** The paragraphs, list items and table rows of a sanitised page, in the order of reading. */
export function passagesOf(html: string, locale: string): Passage[] {
  const passages: Passage[] = [];
  let heading: string | null = null;
  let anchor: string | null = null;
  let written = '';
  const end = (isHeading: boolean) => {
    const text = unescapeHtml(written).replace(/\s+/g, ' ').trim();
    written = '';
    if (text === '') return;
    if (isHeading) heading = text;
    else passages.push(...cut(text, locale).map((piece) => ({ text: piece, heading, anchor })));
  };
  for (const [whole, slash, name, attributes = ''] of html.matchAll(TAG_OR_TEXT)) {
    if (name === undefined) written += whole;
    else if (/^(?:br|td|th)$/.test(name)) written += ' ';
    else if (BLOCK.test(name)) {
      end(slash === '/' && /^h[1-6]$/.test(name));
      if (slash === '') anchor = / id="([^"]+)"/.exec(attributes)?.[1] ?? anchor;
    }
  }
  end(false);
  return passages;
}

/** The words of a text as the full text search knows them. */
export type Lexemes = ReadonlySet<string>;

const MAX_QUOTES = 3;
/** A passage answers when it speaks of more than half of what was asked … */
const ENOUGH = 0.5;
/** … and is quoted beside the best when it is nearly as good. */
const NEARLY = 0.75;
const IN_HEADING_ONLY = 0.7;
/** English stems that ask and are not what is asked about, beyond the stop words. */
const ASKING: Lexemes = new Set(['explain', 'tell', 'describ', 'mean', 'pleas', 'lesson']);
/** Of nothing but these, a question is about the lesson as a whole, which its opening answers. */
const WHOLE: Lexemes = new Set(
  'summaris summar summari overview main key point idea topic cours cover teach learn content'.split(' '),
);
const OPENING = 2;

/**
 * The passages that answer, best first, as indexes; none when nothing does. A word weighs more the rarer it is in the
 * lesson, most when the lesson does not know it, so that a question about something else finds nothing.
 */
export function rankPassages(query: Lexemes, passages: { own: Lexemes; heading: Lexemes }[]): number[] {
  const subject = [...query].filter((word) => !ASKING.has(word));
  if (query.size > 0 && subject.every((word) => WHOLE.has(word))) return [...passages.keys()].slice(0, OPENING);
  const weights = new Map(
    subject.map((word) => {
      const known = passages.filter(({ own, heading }) => own.has(word) || heading.has(word)).length;
      return [word, known === 0 ? 1 : Math.log(1 + passages.length / known) / Math.log(1 + passages.length)];
    }),
  );
  const all = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  if (all === 0) return [];
  const scored = passages.map(({ own, heading }, index) => {
    let score = 0;
    for (const [word, weight] of weights)
      score += own.has(word) ? weight : heading.has(word) ? weight * IN_HEADING_ONLY : 0;
    return { index, score: score / all };
  });
  const best = Math.max(0, ...scored.map(({ score }) => score));
  return scored
    .filter(({ score }) => score > ENOUGH && score >= best * NEARLY)
    .toSorted((a, b) => b.score - a.score || a.index - b.index)
    .slice(0, MAX_QUOTES)
    .map(({ index }) => index);
}
