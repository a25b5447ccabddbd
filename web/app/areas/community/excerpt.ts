const TAG = /<(\/?)([a-z][a-z0-9]*)[^>]*>/gi;
const VOID = new Set(['br', 'hr', 'img', 'wbr']);

/**
 * The start of sanitised HTML: whole blocks up to about `limit` characters. A text that is only slightly longer stays
 * whole.
 */
export function excerptOf(html: string, limit: number): { html: string; isCut: boolean } {
  const whole = { html, isCut: false };
  if (html.length <= limit * 1.5) return whole;
  let depth = 0;
  for (const { 0: tag, 1: slash, 2: name, index } of html.matchAll(TAG)) {
    if (VOID.has(name!.toLowerCase())) continue; // every match has a name
    depth += slash ? -1 : 1;
    const end = index + tag.length;
    if (depth === 0 && end >= limit) return html.slice(end).trim() ? { html: html.slice(0, end), isCut: true } : whole;
  }
  return whole;
}
