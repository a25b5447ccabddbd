import type { Locale } from '@officium/contract/common';
import type { BlockSet } from '#server/text/blocks/block.ts';
import { LESSON_BLOCKS } from '#server/text/blocks/registry.ts';
import { findLostMarkup } from '#server/text/lost-markup.ts';
import { walkMarkdown } from '#server/text/markdown-elements.ts';
import { checkBlocks } from './blocks.policy.ts';
import type { Check, Finding, Report } from './check.policy.ts';
import { HeadingChecks } from './headings.policy.ts';
import { ImageChecks } from './images.policy.ts';
import { LinkChecks } from './links.policy.ts';
import { checkMedia } from './media.policy.ts';
import { TableChecks } from './tables.policy.ts';
import { TextChecks } from './text.policy.ts';

const MAX_EXCERPT = 120;
/** More findings in one text are not reported. */
const MAX_FINDINGS = 200;

/**
 * Checks the accessibility of a text in one language, and its blocks. `must` findings violate WCAG 2.2 or do not work for
 * readers, `should` findings violate editorial practice. Sorted by line.
 */
export function checkText(markdown: string, locale: Locale, blocks: BlockSet = LESSON_BLOCKS): Finding[] {
  const findings: Finding[] = [];
  const report: Report = (rule, severity, { line, text }) => {
    if (findings.length < MAX_FINDINGS) findings.push({ rule, severity, line, text: excerpt(text) });
  };
  const checks: Check[] = [
    new HeadingChecks(report),
    new ImageChecks(report),
    new LinkChecks(report, locale),
    new TableChecks(report),
    new TextChecks(report, locale),
  ];
  walkMarkdown(markdown, {
    open: (element) => checks.forEach((check) => check.open?.(element)),
    close: (tag) => checks.forEach((check) => check.close?.(tag)),
    text: (text, line) => checks.forEach((check) => check.text?.(text, line)),
  });
  for (const check of checks) check.end?.();
  checkBlocks(markdown, blocks, report);
  for (const { kind, what, line } of findLostMarkup(markdown))
    report(kind === 'media' ? 'media-link' : 'left-out', 'should', { line, text: what });
  for (const { rule, severity, line, text } of checkMedia(markdown)) report(rule, severity, { line, text });
  return findings.sort((one, other) => one.line - other.line);
}

function excerpt(text: string): string {
  const plain = text
    .slice(0, 4 * MAX_EXCERPT)
    .replace(/\s+/g, ' ')
    .trim();
  const letters = [...plain];
  return letters.length > MAX_EXCERPT ? `${letters.slice(0, MAX_EXCERPT).join('')}…` : plain;
}
