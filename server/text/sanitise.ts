import { Parser } from 'htmlparser2';
import { cleanAttributes, DROPPED_WITH_CONTENT, isAllowedTag, VOID_TAGS } from './allow-list.ts';
import { escapeHtml } from './html.ts';
import { findRegions } from './markdown-regions.ts';
import { blankOut, type MarkupPlan, planMarkdown, planPlainText } from './markup-plan.ts';

export { MAX_DEPTH, MAX_SOURCE_BYTES } from './allow-list.ts';

const MAX_PASSES = 12;
const droppedWithContent = new Set(DROPPED_WITH_CONTENT);
const MARKUP_START = /<(?=[a-z/!?])/gi;

// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;
// oxlint-disable-next-line no-control-regex
const PLAIN_CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/**
 * Cleans Markdown with inline HTML before it is stored: removes tags outside the allow list and keeps their text, other
 * text and code. Idempotent. `renderMarkdown` sanitises its output again.
 */
export function sanitiseRichText(source: string): string {
  const text = source.toWellFormed().replace(CONTROL, '');
  if (!/<|\]\(|\]:/.test(text)) return text;
  // If removing markup keeps producing new markup, show the text literally.
  const giveUp = (stubborn: string) => stubborn.replace(MARKUP_START, '&lt;');
  return untilStable(text, (current) => rewrite(current, planMarkdown(current), true), giveUp);
}

/**
 * Converts a title or name that may contain markup to plain text in NFC: removes tags, comments, control and
 * direction-override characters, and surrounding white space. Entities stay. One line unless `multiline`.
 */
export function stripMarkup(source: string, options: { multiline?: boolean } = {}): string {
  const clean = (text: string) =>
    (options.multiline
      ? text.replace(/\r\n?|[\u2028\u2029]/g, '\n')
      : text.replace(/[\t\n\r\u0085\u2028\u2029]+/g, ' ')
    )
      .replace(PLAIN_CONTROL, '')
      .normalize('NFC')
      .trim();
  const strip = (text: string) => (text.includes('<') ? clean(rewrite(text, planPlainText(text), false)) : text);
  return untilStable(clean(source.toWellFormed()), strip, (text) => clean(text.replace(MARKUP_START, '')));
}

/** True for a text without visible characters. */
export function isBlank(text: string): boolean {
  return !/[^\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u.test(text);
}

/** True for rendered Markdown without visible text, image or rule. */
export function showsNothing(html: string): boolean {
  return !/<(?:img|hr)\b/.test(html) && isBlank(html.replace(/<[^>]*>/g, ''));
}

/** Removes HTML comments outside code, including those that CommonMark would show as text. */
export function removeComments(source: string): string {
  if (!source.includes('<!--')) return source;
  const masked = blankOut(source, findRegions(source).code);
  const lastEnd = Math.max(masked.lastIndexOf('-->'), masked.lastIndexOf('--!>'));
  const comment = /<!--(?:-?>|[\s\S]*?--!?>)/g;
  let result = '';
  let from = 0;
  // After the last end no comment closes, and searching from each opening would take quadratic time.
  while (lastEnd > from) {
    const match = comment.exec(masked);
    if (!match) break;
    result += source.slice(from, match.index);
    from = comment.lastIndex;
  }
  return result + source.slice(from);
}

function untilStable(text: string, step: (text: string) => string, giveUp: (text: string) => string): string {
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const next = step(text);
    if (next === text) return text;
    text = next;
  }
  return giveUp(text);
}

function rewrite(source: string, { masked, edits }: MarkupPlan, keepAllowed: boolean): string {
  let out = '';
  let copied = 0;
  let nextEdit = 0;
  let dropping = 0;
  const copyTo = (end: number) => {
    for (let edit = edits[nextEdit]; edit && edit.start < end; edit = edits[++nextEdit]) {
      if (edit.start < copied) continue;
      out += source.slice(copied, edit.start) + edit.text;
      copied = edit.end;
    }
    if (copied < end) out += source.slice(copied, end);
    copied = Math.max(copied, end);
  };
  const parser = new Parser({
    onopentag(name, attributes, isImplied) {
      if (dropping > 0 || droppedWithContent.has(name)) dropping++;
      else if (keepAllowed && !isImplied && isAllowedTag(name)) out += openTag(name, attributes);
    },
    onclosetag(name, isImplied) {
      if (dropping > 0) dropping--;
      else if (keepAllowed && !isImplied && isAllowedTag(name) && !VOID_TAGS.has(name)) out += `</${name}>`;
    },
    ontext() {
      if (dropping > 0) return;
      // An edit may extend past the chunk of text it started in.
      copied = Math.max(copied, parser.startIndex);
      if (copied <= parser.endIndex) copyTo(parser.endIndex + 1);
    },
  });
  parser.end(masked);
  return out;
}

function openTag(name: string, attributes: Record<string, string>): string {
  let tag = `<${name}`;
  for (const [attribute, value] of Object.entries(cleanAttributes(name, attributes)))
    tag += ` ${attribute}="${escapeHtml(value)}"`;
  return `${tag}>`;
}
