import type { Token } from 'markdown-it';
import { escapeHtml, unescapeHtml } from '../text/html.ts';
import { BLOCK_OPEN, type BlockUse } from '../text/blocks/block-rule.ts';
import { attributeRange, labelRange, writeLabel, writeValue } from '../text/blocks/directive.ts';
import { LESSON_BLOCKS } from '../text/blocks/registry.ts';
import { parseMarkdown } from '../text/markdown.ts';
import { isTaskMark } from '../text/task-marks.ts';
import { readInline, writeInline } from './inline-markdown.ts';
import { structureOf } from './markdown-structure.ts';
import { hasWords, type Piece, withSpaceOf, wordsOf } from './marked-text.ts';
import { type TextPassage, type TranslateTexts, translatePassages } from './passages.ts';
import { type Counter, createCounter, keep, type Kept, protect, restore } from './protected.ts';

/** A range of the source to replace, from a column of its first line to a column of its last line. */
type Place = { line: number; column: number; endLine: number; endColumn: number; prefix: string };
type Part = { place: Place; passage: TextPassage; write(pieces: Piece[]): string | undefined };

/**
 * Translates only the words of Markdown. Each translated block is parsed again and its structure compared, so that
 * syntax, links, code, image addresses and mentions stay intact.
 */
export async function translateMarkdown(source: string, translateTexts: TranslateTexts): Promise<string> {
  const text = source.replace(/\r\n?/g, '\n');
  const lines = text.split('\n');
  const parts = partsOf(text, lines);
  const answers = await translatePassages(
    parts.map(({ passage }) => passage),
    translateTexts,
  );
  const edits = parts.map((part, index) => ({ ...part.place, text: part.write(answers[index] ?? []) }));
  // Apply edits from the end, so that earlier positions stay valid.
  for (const { line, column, endLine, endColumn, prefix, text: words } of edits.reverse()) {
    if (words === undefined) continue;
    const written = (lines[line] ?? '').slice(0, column) + words.replaceAll('\n', `\n${prefix}`);
    lines.splice(line, endLine - line + 1, written + (lines[endLine] ?? '').slice(endColumn));
  }
  return lines.join('\n');
}

function partsOf(text: string, lines: string[]): Part[] {
  const counter = createCounter();
  const parts: Part[] = [];
  /** Tokens of table cells have no position, so cells are searched in their row from left to right. */
  let row: { line: number; column: number } | undefined;
  for (const token of parseMarkdown(text, { blocks: LESSON_BLOCKS })) {
    if (token.type === 'tr_open') row = token.map ? { line: token.map[0], column: 0 } : undefined;
    else if (token.type === BLOCK_OPEN && token.map) parts.push(...blockParts(token, token.map[0], lines, counter));
    else if (token.type === 'html_block' && token.map) parts.push(...htmlParts(token.map, lines, counter));
    else if (token.type === 'inline' && hasWords(token.content)) {
      const place = token.map ? placeOf(token, token.map[0], lines) : row && cellIn(token.content, row, lines);
      if (!place) continue;
      if (!token.map && row) row.column = place.endColumn;
      parts.push(inlinePart(...withoutTaskMark(token, place), counter));
    }
  }
  return parts;
}

/** The label of a block is plain text between brackets; the hint of a question is an attribute. */
function blockParts(token: Token, line: number, lines: string[], counter: Counter): Part[] {
  const { label, attributes } = token.meta as BlockUse;
  const { hint = '' } = attributes;
  const source = lines[line] ?? '';
  const first = source.indexOf('::');
  const written = source.slice(first).trimEnd();
  return [
    { text: label, range: labelRange(written), writeAs: writeLabel },
    { text: hint, range: attributeRange(written, 'hint'), writeAs: writeValue },
  ].flatMap(({ text, range, writeAs }): Part[] => {
    if (!range || !hasWords(text)) return [];
    const kept: Kept = new Map();
    const place = { line, column: first + range.start, endLine: line, endColumn: first + range.end, prefix: '' };
    const write = (answer: Piece[]) => writeAs(restore(answer, kept));
    return [{ place, passage: { pieces: protect(text, kept, counter) }, write }];
  });
}

/** Leaves the mark of a task list, which is the key of a question, out of what is translated. */
function withoutTaskMark(token: Token, place: Place): [Token, Place] {
  const mark = /^\[[ xX]\]\s+/.exec(token.content)?.[0];
  const [first, ...others] = token.children ?? [];
  if (mark === undefined || !first || !isTaskMark(first.content[0])) return [token, place];
  const text = Object.assign(Object.create(Object.getPrototypeOf(first) as object) as Token, first); // keeps its class
  text.content = first.content.slice(1).trimStart();
  const rest = Object.assign(Object.create(Object.getPrototypeOf(token) as object) as Token, token); // keeps its class
  return [Object.assign(rest, { children: [text, ...others] }), { ...place, column: place.column + mark.length }];
}

/** Locates the inline content of a block, after list and quote markers, on one or more lines. */
function placeOf({ content }: Token, line: number, lines: string[]): Place | undefined {
  const inner = content.split('\n').map((part) => part.trim());
  const columns = inner.map((part, index) => (lines[line + index] ?? '').indexOf(part));
  const [column = -1] = columns;
  const last = inner.length - 1;
  if (columns.includes(-1)) return undefined;
  return {
    line,
    column,
    endLine: line + last,
    endColumn: (columns[last] ?? 0) + (inner[last] ?? '').length,
    prefix: last > 0 ? (lines[line + 1] ?? '').slice(0, columns[1]) : '',
  };
}

function cellIn(content: string, row: { line: number; column: number }, lines: string[]): Place | undefined {
  const source = lines[row.line] ?? '';
  const written = [content, content.replaceAll('|', '\\|')].find((words) => source.includes(words, row.column));
  if (written === undefined) return undefined;
  const column = source.indexOf(written, row.column);
  return { line: row.line, column, endLine: row.line, endColumn: column + written.length, prefix: '' };
}

function inlinePart(token: Token, place: Place, counter: Counter): Part {
  const text = readInline(token.children ?? [], counter);
  // Compare with the rewritten block: the definition of a reference link, `[this][1]`, is outside the block.
  const structure = structureOf(writeInline(text, { asHtml: true }));
  /** Writes Markdown, else HTML emphasis, whichever parses to the original structure; else undefined. */
  const write = (pieces: Piece[]) =>
    [false, true]
      .map((asHtml) => writeInline({ ...text, pieces }, { asHtml }))
      .find((words) => structureOf(words) === structure);
  return {
    place,
    passage: { pieces: text.pieces, fits: (answer) => write(answer) !== undefined },
    write: (pieces) => (pieces === text.pieces ? undefined : write(pieces)),
  };
}

// Entities written by `escapeHtml` count as words; other entities are protected.
const HTML_TAG = /<[^>]*>|\{\{[0-9a-f-]{36}\}\}|&(?!(?:amp|lt|gt|quot);)#?\w{1,31};/gi;

/** Creates parts for the text between the tags of an HTML block, line by line. Blocks with code are not translated. */
function htmlParts([from, to]: [number, number], lines: string[], counter: Counter): Part[] {
  if (lines.slice(from, to).some((line) => /<(?:pre|code|!--)|-->/i.test(line))) return [];
  return lines.slice(from, to).flatMap((source, index) => {
    const kept: Kept = new Map();
    const pieces: Piece[] = [];
    let at = 0;
    for (const match of source.matchAll(HTML_TAG)) {
      if (match.index > at) pieces.push(unescapeHtml(source.slice(at, match.index)));
      pieces.push(keep(match[0], kept, counter));
      at = match.index + match[0].length;
    }
    if (at < source.length) pieces.push(unescapeHtml(source.slice(at)));
    if (!hasWords(wordsOf(pieces))) return [];
    const line = from + index;
    const place = { line, column: 0, endLine: line, endColumn: source.length, prefix: '' };
    const write = (answer: Piece[]) =>
      withSpaceOf(
        source,
        restore(
          answer.map((piece) => (typeof piece === 'string' ? escapeHtml(piece) : piece)),
          kept,
        ),
      );
    const fits = (answer: Piece[]) => structureOf(write(answer)) === structureOf(source);
    return [{ place, passage: { pieces, fits }, write }];
  });
}
