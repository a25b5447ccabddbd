import { escapeHtml } from '#server/text/html.ts';

/** Characters that XML 1.0 cannot hold, not even escaped. */
const UNWRITABLE = /(?![\t\n\r])[\p{Cc}\ufffe\uffff]/gu;

/** Escapes a text for an element or an attribute in double quotes. */
export function xml(text: string): string {
  return escapeHtml(text.toWellFormed().replace(UNWRITABLE, ''));
}
