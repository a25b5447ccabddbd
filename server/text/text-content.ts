import type { LocalizedText } from '@officium/contract/common';
import { isLocale, type Locale } from '@officium/i18n/locales';
import { renderMarkdown } from './markdown.ts';
import { NOTE_OPENINGS, PENDING_OPENINGS } from './note-words.data.ts';
import { isBlank } from './sanitise.ts';

const MAX_NOTE = 1000;
const MAX_PENDING = 80;

/** False for a text that has only headings, comments or a note by its translator. */
export function hasContent(source: string): boolean {
  const { html } = renderMarkdown(source, { resolveImage: (src) => src });
  const body = html.replace(/<h([1-6])(?: [^>]*)?>[\s\S]*?<\/h\1>/g, '');
  if (/<img\b/.test(body)) return true;
  const blocks = body
    .replace(/<\/(?:p|li|td|th|pre|div|blockquote|summary)>/g, '\n\n')
    .replace(/<[^>]*>/g, '')
    .split('\n\n');
  return blocks.some((block) => !isBlank(block) && !isNote(block));
}

function isNote(block: string): boolean {
  const words = block
    .normalize('NFC')
    .toLowerCase()
    .replace(/^[^\p{L}\p{N}]+/u, '');
  const opensWith = (opening: string) => words.startsWith(opening) && !/^\p{L}/u.test(words.slice(opening.length));
  if (words.length <= MAX_NOTE && NOTE_OPENINGS.some((opening) => words.startsWith(opening))) return true;
  return words.length <= MAX_PENDING && PENDING_OPENINGS.some(opensWith);
}

/** Splits the languages of a text into those with content and those without. */
export function contentOf(texts: LocalizedText): { filled: Locale[]; empty: Locale[] } {
  const locales = Object.keys(texts).filter(isLocale);
  const filled = locales.filter((locale) => hasContent(texts[locale] ?? ''));
  return { filled, empty: locales.filter((locale) => !filled.includes(locale)) };
}
