import { renderToString } from 'react-dom/server';
import type { HtmlCache } from '../ui/shared-html.tsx';

/** Some two thousand posts: the first pages of sixty feeds. */
const MAX_CHARACTERS = 12 * 2 ** 20;
const kept = new Map<string, string>();
let characters = 0;

/** Returns the cached HTML of a part, rendering it on a miss; an empty key bypasses the cache. */
export const cachedHtml: HtmlCache = (key, part) => {
  const known = key && kept.get(key);
  if (known) return known;
  const html = renderToString(part());
  if (key) {
    kept.set(key, html);
    characters += key.length + html.length;
  }
  for (const [oldest, { length }] of kept) {
    if (characters <= MAX_CHARACTERS) break;
    kept.delete(oldest);
    characters -= oldest.length + length;
  }
  return html;
};
