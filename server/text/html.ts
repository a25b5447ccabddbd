const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const UNESCAPES: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' };

/** For text and for attribute values in double quotes. */
export function escapeHtml(text: string): string {
  return /[&<>"]/.test(text) ? text.replace(/[&<>"]/g, (character) => ESCAPES[character]!) : text; // every match has an entry
}

/** Undoes `escapeHtml`, and nothing more: sanitised HTML holds no other entities. */
export function unescapeHtml(html: string): string {
  return html.includes('&') ? html.replace(/&(?:amp|lt|gt|quot);/g, (entity) => UNESCAPES[entity]!) : html; // every match has an entry
}
