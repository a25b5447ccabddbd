import { unescapeHtml } from './html.ts';

const TIMING = /^(?:\d+:)?\d{2}:\d{2}\.\d{3}[ \t]+-->[ \t]+(?:\d+:)?\d{2}:\d{2}\.\d{3}/;
/** Paragraphs of a transcript end with the sentence after this many characters. */
const PARAGRAPH = 300;
/** Captions in a language without these marks, or of somebody who means harm, would be one endless paragraph. */
const MAX_PARAGRAPH = 2000;
const SENTENCE_END = /[.!?…。！？؟۔]["'»”’)]?$/u;
const ENDING = 2;

/** Returns the paragraphs of what is said in WebVTT captions, without times. */
export function transcriptOf(captions: string): string[] {
  const paragraphs: string[] = [];
  let lines: string[] = [];
  let length = 0;
  for (const line of linesOf(captions)) {
    lines.push(line);
    length += line.length + 1;
    const isEnd = length > MAX_PARAGRAPH || (length > PARAGRAPH && SENTENCE_END.test(line.slice(-ENDING)));
    if (!isEnd) continue;
    paragraphs.push(lines.join(' '));
    [lines, length] = [[], 0];
  }
  return lines.length === 0 ? paragraphs : [...paragraphs, lines.join(' ')];
}

/** The words of each cue. A line that stays on the screen with the next cue counts once. */
function linesOf(captions: string): string[] {
  const lines: string[] = [];
  const blocks = captions
    .replace(/^\ufeff/, '')
    .replace(/\r\n?/g, '\n')
    .split(/\n{2,}/);
  for (const block of blocks) {
    const rows = block.split('\n');
    const timing = rows.findIndex((row) => TIMING.test(row));
    if (timing < 0 || timing > 1) continue; // the header, a comment or a style
    for (const row of rows.slice(timing + 1)) {
      const said = unescapeHtml(withoutTags(row)).replace(/\s+/g, ' ').trim();
      if (said !== '' && said !== lines.at(-1)) lines.push(said);
    }
  }
  return lines;
}

/** Removes tags in linear time. The expression `<[^>]*>` would scan the rest of the row again from each opening. */
function withoutTags(row: string): string {
  let said = '';
  let from = 0;
  for (;;) {
    const open = row.indexOf('<', from);
    const close = open === -1 ? -1 : row.indexOf('>', open);
    if (close === -1) return said + row.slice(from);
    said += row.slice(from, open);
    from = close + 1;
  }
}

/** Returns the paragraphs of a transcript written as plain text. */
export function paragraphsOf(text: string): string[] {
  return text
    .replace(/^\ufeff/, '')
    .replace(/\r\n?/g, '\n')
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.replace(/\s+/g, ' ').trim())
    .filter(Boolean);
}
