import { cleanLine, cleanMarkdown, htmlToLine, htmlToMarkdown, plainToMarkdown } from './html-markdown.format.ts';
import type { Note } from './question.policy.ts';

/** How texts of a question are written. `moodle` is plain text that may contain HTML. */
export type TextFormat = 'html' | 'markdown' | 'plain' | 'moodle';

export function toMarkdown(text: string, format: TextFormat, note: Note): string {
  if (format === 'markdown') return cleanMarkdown(text, note);
  if (format === 'html' || (format === 'moodle' && hasMarkup(text)))
    return htmlToMarkdown(breakLines(text, format), note);
  return plainToMarkdown(text);
}

export function toLine(text: string, format: TextFormat, note: Note): string {
  if (format === 'markdown') return cleanLine(text, note);
  if (format === 'html' || (format === 'moodle' && hasMarkup(text))) return htmlToLine(text, note);
  return plainToMarkdown(text).replace(/\n+/g, ' ');
}

const hasMarkup = (text: string) => /<\/?[a-z][^<>]*>|&#?\w+;/i.test(text);
/** Line ends of Moodle's own format are shown. */
const breakLines = (text: string, format: TextFormat) =>
  format === 'moodle' ? text.replace(/\n[ \t]*\n/g, '<p>') : text;
