import { unescapeHtml } from './html.ts';

const TIMING = /^(?:\d+:)?\d{2}:\d{2}\.\d{3}[ \t]+-->[ \t]+(?:\d+:)?\d{2}:\d{2}\.\d{3}/;
/** Paragraphs of a transcript end with the sentence after this many characters. */
const PARAGRAPH = 300;
const SENTENCE_END = /[.!?…。！？؟۔]["'»”’)]?$/u;

/** Returns the paragraphs of what is said in WebVTT captions, without times. */
export function transcriptOf(captions: string): string[] {
  const paragraphs: string[] = [];
  let current = '';
  for (const line of linesOf(captions)) {
    current = current === '' ? line : `${current} ${line}`;
    if (current.length < PARAGRAPH || !SENTENCE_END.test(current)) continue;
    paragraphs.push(current);
    current = '';
  }
  return current === '' ? paragraphs : [...paragraphs, current];
}

/** What each cue says. A line that stays on the screen with the next cue counts once. */
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
      const said = unescapeHtml(row.replace(/<[^>]*>/g, ''))
        .replace(/\s+/g, ' ')
        .trim();
      if (said !== '' && said !== lines.at(-1)) lines.push(said);
    }
  }
  return lines;
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
