import { Parser } from 'htmlparser2';
import { isSafeUrl } from './allow-list.ts';
import { escapeHtml } from './html.ts';

/** Elements that pages do not show; a link to the recording or page replaces them. */
export const LINKED_MEDIA: ReadonlySet<string> = new Set(['video', 'audio', 'iframe']);

const OPENING = /<(video|audio|iframe)\b([^<>]{0,4000})>/gi;
const SOURCE = /<source\b[^<>]{0,4000}>/i;

/** Replaces recordings and embedded pages in HTML with links. The result still has to be sanitised. */
export function linkMedia(html: string): string {
  if (!/<(?:video|audio|iframe)\b/i.test(html)) return html;
  const lower = html.toLowerCase();
  const isInParagraph = paragraphsOf(lower);
  const unclosed = new Set<string>();
  let out = '';
  let from = 0;
  for (const { 0: opening, 1: found = '', index } of html.matchAll(OPENING)) {
    if (index < from) continue;
    const tag = found.toLowerCase();
    const start = index + opening.length;
    // Searching again after an element without an end would take quadratic time.
    const close = unclosed.has(tag) ? -1 : lower.indexOf(`</${tag}`, start);
    if (close === -1) unclosed.add(tag);
    const inner = close === -1 ? '' : html.slice(start, close);
    out += html.slice(from, index) + linkTo(opening, inner, isInParagraph(index));
    from = close === -1 ? start : lower.indexOf('>', close) + 1 || html.length;
  }
  return out + html.slice(from);
}

function linkTo(opening: string, inner: string, isInline: boolean): string {
  const attributes = attributesOf(opening);
  const written = attributes['src'] ?? attributesOf(SOURCE.exec(inner)?.[0] ?? '')['src'] ?? '';
  const address = written.trim().replace(/^\/\//, 'https://');
  const name = (attributes['title'] || attributes['aria-label'] || address).trim();
  // A file beside the text is not kept, so a link to it would lead nowhere.
  const isLink = /^https?:/i.test(address) && isSafeUrl(address, 'link');
  const shown = /^[a-z][a-z0-9+.-]*:/i.test(name) && !isLink ? '' : name;
  if (shown === '') return '';
  const text = isLink ? `<a href="${escapeHtml(address)}">${escapeHtml(shown)}</a>` : escapeHtml(shown);
  return isInline ? text : `<p>${text}</p>`;
}

/** Tells whether a place is in a paragraph, for one place after the other: searching back from each would be quadratic. */
function paragraphsOf(lower: string): (at: number) => boolean {
  const tag = /<(\/?)p[ >]/g;
  let next = tag.exec(lower);
  let isOpen = false;
  return (at) => {
    for (; next && next.index <= at; next = tag.exec(lower)) isOpen = next[1] === '';
    return isOpen;
  };
}

function attributesOf(tag: string): Readonly<Record<string, string>> {
  let found: Record<string, string> = {};
  const parser = new Parser({ onopentag: (_, attributes) => void (found = attributes) });
  parser.end(tag);
  return found;
}
