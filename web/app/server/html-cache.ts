import { renderToString } from 'react-dom/server';
import type { HtmlCache } from '../ui/shared-html.tsx';

const MAX_KEPT = 1_000;
const kept = new Map<string, string>();

/** Returns the cached HTML of a part, rendering it on a miss; an empty key bypasses the cache. */
export const cachedHtml: HtmlCache = (key, part) => {
  const known = key && kept.get(key);
  if (known) return known;
  const html = renderToString(part());
  if (key) kept.set(key, html);
  for (const oldest of kept.keys()) {
    if (kept.size <= MAX_KEPT) break;
    kept.delete(oldest);
  }
  return html;
};
