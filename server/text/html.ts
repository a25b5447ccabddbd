const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const UNESCAPES: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' };

/** Escapes text and attribute values in double quotes. */
export function escapeHtml(text: string): string {
  return /[&<>"]/.test(text) ? text.replace(/[&<>"]/g, (character) => ESCAPES[character]!) : text; // every match has an entry
}

/** Reverses `escapeHtml` only: sanitised HTML contains no other entities. */
export function unescapeHtml(html: string): string {
  return html.includes('&') ? html.replace(/&(?:amp|lt|gt|quot);/g, (entity) => UNESCAPES[entity]!) : html; // every match has an entry
}
