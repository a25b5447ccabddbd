import { renderToString } from 'react-dom/server';
import type { KeepHtml } from './ui/kept.tsx';

const MAX_KEPT = 1_000;
const kept = new Map<string, string>();

/** The HTML of a part, as it was written for whoever came first; with an empty key it is written anew. */
export const keepHtml: KeepHtml = (key, part) => {
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
