import { unescapeHtml } from '#server/text/html.ts';

/**
 * A quotable part of a lesson with its heading, the nearest link anchor and the number of its section (the text under
 * one heading). `isExample` marks block quotations.
 */
export type Passage = {
  text: string;
  heading: string | null;
  anchor: string | null;
  section: number;
  isExample: boolean;
};

export const MAX_QUOTE_LENGTH = 500;

const TAG_OR_TEXT = /<(\/?)([a-z0-9]+)([^>]*)>|[^<]+/g;
const QUESTION = /<form class="quiz"[\s\S]*?<\/form>/g;
const BLOCK =
  /^(?:p|h[1-6]|li|ul|ol|tr|table|pre|div|blockquote|hr|dl|dt|dd|section|figure|figcaption|details|summary)$/;

/** Splits a long text between sentences. A single long sentence stays whole. */
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

type Piece = Passage & { kind: 'text' | 'item' | 'row'; isExample: boolean };

/** The paragraphs, list items and table rows of a sanitised page, in reading order. */
function piecesOf(html: string, locale: string): Piece[] {
  const pieces: Piece[] = [];
  let heading: string | null = null;
  let anchor: string | null = null;
  let section = 0;
  let written = '';
  let quotes = 0;
  let lists = 0;
  let rows = 0;
  const end = (isHeading: boolean) => {
    const text = unescapeHtml(written).replace(/\s+/g, ' ').trim();
    written = '';
    if (text === '') return;
    if (isHeading && quotes === 0) {
      heading = text;
      section += 1;
      return;
    }
    const kind = rows > 0 ? 'row' : lists > 0 ? 'item' : 'text';
    const isExample = quotes > 0;
    pieces.push(
      ...cut(text, locale).map((part) => ({ text: part, heading, anchor, section, kind, isExample }) as const),
    );
  };
  // The options of a question are no statements of the lesson: most are wrong.
  const told = html.replace(QUESTION, '\n');
  for (const [whole, slash, name, attributes = ''] of told.matchAll(TAG_OR_TEXT)) {
    if (name === undefined) written += whole;
    else if (/^(?:br|td|th)$/.test(name)) written += ' ';
    else if (BLOCK.test(name)) {
      end(slash === '/' && /^h[1-6]$/.test(name));
      const step = slash === '/' ? -1 : 1;
      if (name === 'blockquote') quotes += step;
      else if (name === 'ul' || name === 'ol') lists += step;
      else if (name === 'table') rows += step;
      if (slash === '') anchor = / id="([^"]+)"/.exec(attributes)?.[1] ?? anchor;
    }
  }
  end(false);
  return pieces;
}

/** True if the second piece continues the first: list items and the line that introduces them. */
function continues(first: Piece, second: Piece): boolean {
  if (second.kind !== 'item' || first.isExample !== second.isExample || first.section !== second.section) return false;
  return first.kind === 'item' || (first.kind === 'text' && /[:：.。]$/.test(first.text));
}

/**
 * The quotable passages of a sanitised page, in reading order: paragraphs, table rows, and lists joined with the line
 * that introduces them up to the quote length.
 */
export function passagesOf(html: string, locale: string): Passage[] {
  const passages: (Passage & { last: Piece })[] = [];
  for (const piece of piecesOf(html, locale)) {
    const before = passages.at(-1);
    if (before && continues(before.last, piece) && before.text.length + piece.text.length < MAX_QUOTE_LENGTH) {
      before.text += `\n${piece.text}`;
      before.last = piece;
    } else {
      const { text, heading, anchor, section, isExample } = piece;
      passages.push({ text, heading, anchor, section, isExample, last: piece });
    }
  }
  return passages.map(({ text, heading, anchor, section, isExample }) => ({
    text,
    heading,
    anchor,
    section,
    isExample,
  }));
}
