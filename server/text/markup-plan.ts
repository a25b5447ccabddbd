import MarkdownIt from 'markdown-it';
import { DROPPED_WITH_CONTENT, isAllowedTag, isSafeUrl } from './allow-list.ts';
import { findRegions, type Region } from './markdown-regions.ts';

type Edit = Region & { text: string };
/** `masked` is the source with everything blanked out that must not be parsed as markup; its length is the same. */
export type MarkupPlan = { masked: string; edits: Edit[] };

const droppedWithContent = new Set(DROPPED_WITH_CONTENT);
const { parseLinkDestination } = new MarkdownIt().helpers;

export function planPlainText(source: string): MarkupPlan {
  const plan: MarkupPlan = { masked: source, edits: [] };
  planLoneBrackets(source, plan, [], '');
  return plan;
}

export function planMarkdown(source: string): MarkupPlan {
  const { code, html, escapedBrackets } = findRegions(source);
  const plan: MarkupPlan = { masked: blankOut(source, code), edits: [] };
  planOutdent(source, html, plan);
  plan.masked = blankOut(plan.masked, addressesInBrackets(plan.masked));
  const escapes = escapedBrackets
    .filter((at) => /[a-z/!?]/i.test(source[at + 2] ?? ''))
    .map((at) => ({ start: at, end: at + 2, text: '&lt;' }));
  plan.edits.push(...escapes);
  plan.masked = blankOut(plan.masked, escapes);
  planLoneBrackets(source, plan, html, '&lt;');
  planDangerousLinks(plan);
  plan.edits.sort((a, b) => a.start - b.start);
  return plan;
}

/** Replaces every character of the regions except line ends with a filler that cannot start a tag. */
export function blankOut(text: string, regions: Region[], filler = '.'): string {
  if (regions.length === 0) return text;
  let out = '';
  let from = 0;
  for (const { start, end } of regions.toSorted((a, b) => a.start - b.start)) {
    if (end <= from) continue;
    const first = Math.max(start, from);
    out += text.slice(from, first) + text.slice(first, end).replace(/[^\r\n]/g, filler);
    from = end;
  }
  return out + text.slice(from);
}

/** Finds `<https://…>`, `<a@b.example>`, `](<…>` and `]: <…>`: angle brackets of Markdown, not of HTML. */
function addressesInBrackets(masked: string): Region[] {
  const regions: Region[] = [];
  const address = /<(?:[a-z][a-z0-9+.-]{1,31}:[^\s<>]*|[\w.!#$%&'*+/=?^{|}~-]+@[a-z0-9-]+(?:\.[a-z0-9-]+)*)>/gi;
  for (const { 0: match, index } of masked.matchAll(address)) {
    const url = match.slice(1, -1);
    if (url.includes('@') || isSafeUrl(url, 'link')) regions.push({ start: index, end: index + match.length });
  }
  for (const { 0: match, index } of masked.matchAll(/(?<=\]\(|\]:[ \t]*)<[^<>\r\n]*>/g)) {
    const name = /^<([a-z][a-z0-9-]*)(?=[\s/>])(>)?/i.exec(match);
    const isTag = name?.[2] !== undefined || isAllowedTag(lower(name?.[1])) || droppedWithContent.has(lower(name?.[1]));
    // A parser of HTML takes `<name=…` for an element with that name.
    const hasEquals = /^<[a-z][\w-]*=/i.test(match) || (match.includes('=') && /\s/.test(match));
    const looksLikeTag = isTag || /^<[/!?]/.test(match) || hasEquals;
    if (!looksLikeTag && isSafeUrl(match.slice(1, -1), 'link'))
      regions.push({ start: index, end: index + match.length });
  }
  return regions;
}

/**
 * Removes indentation so that the content of a dropped `<div>` does not turn into a code block. In lists and quotes the
 * indentation belongs to Markdown and stays.
 */
function planOutdent(source: string, html: (Region & { nested: boolean })[], plan: MarkupPlan): void {
  for (const { start, end, nested } of html) {
    const block = source.slice(start, end);
    if (nested || /<pre\b/i.test(block)) continue;
    if ([...block.matchAll(/<\/?([a-z][a-z0-9-]*)/gi)].every(([, name]) => isAllowedTag(name!.toLowerCase()))) continue; // the group always matches
    for (const { 0: indent, index } of block.matchAll(/^(?: {4}| {0,3}\t)[ \t]*/gm))
      plan.edits.push({ start: start + index, end: start + index + indent.length, text: '' });
  }
}

/**
 * A `<` without a tag end before the next blank line is text. It is replaced if later text could complete it to a tag.
 * An unclosed element that would be dropped with its content loses only its tag.
 */
function planLoneBrackets(source: string, plan: MarkupPlan, html: Region[], replacement: string): void {
  const text = plan.masked;
  const nextTagEnd = finder(text, />/g);
  const nextBlank = finder(text, /\n[ \t]*\r?\n/g);
  const nextRisk = finder(source, /[>=]/g);
  // A lenient parser, or a page the text is pasted into, might still read this as a tag.
  const canClose = (start: number) => nextRisk(start) < Infinity;
  const lastCommentEnd = Math.max(text.lastIndexOf('-->'), text.lastIndexOf('--!>'));
  const lastClosing = lastClosingTags(text);
  const isInHtml = within(html);
  const lone: Region[] = [];
  const unclosed: Region[] = [];
  for (const { 1: found, index: start } of text.matchAll(/<([a-z][a-z0-9-]*|[/!?])/gi)) {
    const name = found!.toLowerCase(); // the group always matches
    const isComment = text.startsWith('<!--', start);
    const limit = nextBlank(start);
    if (droppedWithContent.has(name)) {
      const isCode = name === 'script' || name === 'style';
      if (!isCode && (lastClosing.get(name) ?? -1) < start)
        unclosed.push({ start: start + 1, end: start + 1 + name.length });
      continue;
    }
    if (isComment ? lastCommentEnd > start : nextTagEnd(start) < limit) continue;
    lone.push({ start, end: start + 1 });
    if (isComment || isInHtml(start) || canClose(start)) plan.edits.push({ start, end: start + 1, text: replacement });
  }
  plan.masked = blankOut(blankOut(text, lone), unclosed, 'x');
}

/** Points links whose address would run code to `#`. The renderer leaves other unknown schemes unlinked. */
function planDangerousLinks(plan: MarkupPlan): void {
  const text = plan.masked;
  for (const { 0: opening, index } of text.matchAll(/\]\(\s*|^[ \t>]*\[[^\]\r\n]+\]:\s*/gm)) {
    const start = index + opening.length;
    const destination = parseLinkDestination(text, start, text.length);
    if (!destination.ok || !destination.str.includes(':')) continue;
    const scheme = destination.str.replace(/[^a-z:]+/gi, '').toLowerCase();
    if (
      /^(?:javascript|vbscript|livescript|data|file|blob|filesystem):/.test(scheme) &&
      !isSafeUrl(destination.str, 'link')
    )
      plan.edits.push({ start, end: destination.pos, text: '#' });
  }
}

function lower(text: string | undefined): string {
  return text?.toLowerCase() ?? '';
}

function lastClosingTags(text: string): Map<string, number> {
  const last = new Map<string, number>();
  for (const { 1: name, index } of text.matchAll(/<\/([a-z]+)/gi)) last.set(name!.toLowerCase(), index); // the group always matches
  return last;
}

/** Returns the first match at or after a position. Positions must ascend, so that the text is scanned once. */
function finder(text: string, pattern: RegExp): (from: number) => number {
  let found = -1;
  return (from) => {
    if (found < from) {
      pattern.lastIndex = from;
      found = pattern.exec(text)?.index ?? Infinity;
    }
    return found;
  };
}

/** Checks whether a position is in one of the ordered regions. Positions must ascend. */
function within(regions: Region[]): (at: number) => boolean {
  let index = 0;
  return (at) => {
    while (index < regions.length && regions[index]!.end <= at) index++; // the index was checked
    const region = regions[index];
    return region !== undefined && region.start <= at;
  };
}
