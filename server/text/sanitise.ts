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
 * Cleans Markdown with inline HTML before it is stored. Tags outside the allow list go and their text stays; text and
 * code stay as typed. Applying it twice changes nothing. What is rendered is sanitised again, by `renderMarkdown`.
 */
export function sanitiseRichText(source: string): string {
  const text = source.toWellFormed().replace(CONTROL, '');
  if (!/<|\]\(|\]:/.test(text)) return text;
  // Text that keeps becoming markup as markup is taken from it is shown, not read.
  const giveUp = (stubborn: string) => stubborn.replace(MARKUP_START, '&lt;');
  return untilStable(text, (current) => rewrite(current, planMarkdown(current), true), giveUp);
}

/**
 * Makes plain text of what may hold markup, for titles and names: tags and comments go, entities stay as typed, control
 * and direction-override characters go, white space at the ends too; NFC. On one line unless `multiline`.
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

/** Whether nothing of a text can be seen. */
export function isBlank(text: string): boolean {
  return !/[^\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u.test(text);
}

/** Whether nothing of rendered Markdown can be seen: no word, picture or line. */
export function showsNothing(html: string): boolean {
  return !/<(?:img|hr)\b/.test(html) && isBlank(html.replace(/<[^>]*>/g, ''));
}

/** Takes HTML comments out (code apart), those too that CommonMark would take for text and show. */
export function removeComments(source: string): string {
  if (!source.includes('<!--')) return source;
  const masked = blankOut(source, findRegions(source).code);
  const lastEnd = Math.max(masked.lastIndexOf('-->'), masked.lastIndexOf('--!>'));
  const comment = /<!--(?:-?>|[\s\S]*?--!?>)/g;
  let result = '';
  let from = 0;
  // Beyond the last end no comment closes, and looking for one from each opening would read the text over and over.
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
      // An edit may have reached beyond the piece of text it began in.
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
