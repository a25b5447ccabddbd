import type { SavedLesson } from './saved-lessons.ts';

/** Same-origin addresses of the styles, fonts, icons and images of a page. */
export function filesOf(html: string, origin: string): string[] {
  const files = new Set<string>();
  for (const [tag, name] of html.matchAll(/<(link|img)\b[^>]*>/g)) {
    const address = attribute(tag, name === 'img' ? 'src' : 'href');
    if (!address || (name === 'link' && !isNeeded(tag))) continue;
    const url = new URL(address, origin);
    if (url.origin === origin) files.add(url.pathname + url.search);
  }
  return [...files];
}

function isNeeded(link: string): boolean {
  const rel = attribute(link, 'rel');
  return rel === 'stylesheet' || rel === 'icon' || (rel === 'preload' && attribute(link, 'as') === 'font');
}

/**
 * Prepares a page for saving: removes scripts, so that code of one release never runs against another's, and marks it,
 * so that styles hide what needs the network.
 */
export function asSaved(html: string): string {
  return html
    .replace(/<script\b[\s\S]*?<\/script>/g, '')
    .replace(/<link\b[^>]*>/g, (tag) => {
      const isCode = attribute(tag, 'rel') === 'modulepreload' || attribute(tag, 'as') === 'fetch';
      return isCode ? '' : tag;
    })
    .replace('<html', '<html data-saved');
}

/** Fills the list of saved lessons into the offline page. */
export function withLessons(shell: string, lessons: SavedLesson[], isUnsent: boolean): string {
  const html = isUnsent ? shell.replace('<html', '<html data-unsent') : shell;
  if (lessons.length === 0) return html;
  const items = lessons.map(
    ({ key, title, lang }) =>
      `<li><a class="link block py-3" dir="auto" lang="${escaped(lang)}" href="${escaped(key)}">${escaped(title)}</a></li>`,
  );
  const list = `<ul class="divide-y divide-line border-y border-line">${items.join('')}</ul>`;
  return html.replace(/(<div id="kept-lessons"[^>]*>)[\s\S]*?(<\/div>)/, (_, open: string, close: string) => {
    return open + list + close;
  });
}

function attribute(tag: string, name: string): string | undefined {
  return new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1]?.replaceAll('&amp;', '&');
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? character);
}
