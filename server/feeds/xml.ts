import { escapeHtml } from '#server/text/html.ts';

/** What XML 1.0 cannot hold, not even escaped. */
const UNWRITABLE = /(?![\t\n\r])[\p{Cc}\ufffe\uffff]/gu;

/** A text as it stands in an element or in an attribute in double quotes. */
export function xml(text: string): string {
  return escapeHtml(text.toWellFormed().replace(UNWRITABLE, ''));
}
