const TAG = /<(\/?)([a-z][a-z0-9]*)[^>]*>/gi;
const VOID = new Set(['br', 'hr', 'img', 'wbr']);

/**
 * The beginning of sanitised HTML: whole blocks until about `limit` characters are reached. What is only a little
 * longer stays whole.
 */
export function excerptOf(html: string, limit: number): { html: string; isCut: boolean } {
  const whole = { html, isCut: false };
  if (html.length <= limit * 1.5) return whole;
  let depth = 0;
  for (const { 0: tag, 1: slash, 2: name, index } of html.matchAll(TAG)) {
    if (VOID.has(name!.toLowerCase())) continue; // the pattern has a name in every match
    depth += slash ? -1 : 1;
    const end = index + tag.length;
    if (depth === 0 && end >= limit) return html.slice(end).trim() ? { html: html.slice(0, end), isCut: true } : whole;
  }
  return whole;
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", '#x27': "'", nbsp: ' ' };

/** The text of sanitised HTML on one line, at most `limit` characters: for descriptions and lists. */
export function plainOf(html: string, limit: number): string {
  const text = html
    .replace(/\{\{[0-9a-f-]{36}\}\}/gi, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(#?\w+);/g, (entity, name: string) => ENTITIES[name] ?? entity)
    .replace(/\s+/g, ' ')
    .replace(/ ([.,;:!?])/g, '$1')
    .trim();
  if (text.length <= limit) return text;
  const cut = text.slice(0, limit);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), limit / 2))}…`;
}
