import type { comparePiece, PieceDoc, PiecePart } from '@officium/contract/authoring';
import type { Locale } from '@officium/contract/common';
import type { ReplyOf } from '@officium/contract/endpoint';
import { LOCALES } from '@officium/i18n/locales';
import { diffLines } from 'diff';
import { pickText } from '#server/text/localised.ts';
import { textsOf } from './piece.policy.ts';

type Change = ReplyOf<typeof comparePiece>['changes'][number];
type Line = Change['lines'][number];

/** Compares two states of a piece: texts by language, then fields without a language. */
export function differences(before: PieceDoc, after: PieceDoc, parts: readonly PiecePart[]): Change[] {
  const [then, now] = [textsOf(before), textsOf(after)];
  const changes: Change[] = [];
  for (const field of new Set([...Object.keys(then), ...Object.keys(now)]))
    for (const locale of LOCALES) push(changes, field, locale, then[field]?.[locale] ?? '', now[field]?.[locale] ?? '');
  const [common, nowCommon] = [commonOf(before, parts), commonOf(after, parts)];
  for (const field of new Set([...Object.keys(common), ...Object.keys(nowCommon)]))
    push(changes, field, null, common[field] ?? '', nowCommon[field] ?? '');
  return changes;
}

function push(changes: Change[], field: string, locale: Locale | null, before: string, after: string): void {
  if (before !== after) changes.push({ field, locale, lines: linesOf(before, after) });
}

/** Returns the fields without a language as text. Lessons are listed by title. */
function commonOf(doc: PieceDoc, parts: readonly PiecePart[]): Record<string, string> {
  const titles = new Map(parts.map((part) => [part.key, pickText(part.title, 'en').text]));
  const found: Record<string, string> = {};
  for (const [name, value] of Object.entries(doc)) {
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
      found[name] = String(value);
    if (Array.isArray(value) && value.every((each) => typeof each === 'string') && name !== 'images')
      found[name] = value.join('\n');
  }
  if (doc.kind === 'course')
    found['contacts'] = doc.contacts
      .map(({ name, email, profile }) => [name, email, profile && `/people/${profile}`].filter(Boolean).join(', '))
      .join('\n');
  if (doc.kind === 'lesson')
    found['assessment'] = Object.entries(doc.assessment ?? {})
      .map(([name, value]) => `${name}: ${value ?? '–'}`)
      .join('\n');
  if (doc.kind === 'journey')
    found['lessons'] = doc.sections
      .flatMap(({ lessons }, at) => lessons.map((key) => `${at + 1}. ${titles.get(key) ?? key}`))
      .join('\n');
  return found;
}

/** Number of unchanged lines shown around a change. */
const AROUND = 2;

function linesOf(before: string, after: string): Line[] {
  const lines = diffLines(ended(before), ended(after)).flatMap(({ value, added, removed }) =>
    value
      .replace(/\n$/, '')
      .split('\n')
      .map((text): Line => ({ kind: added ? 'added' : removed ? 'removed' : 'same', text })),
  );
  const isNear = lines.map((_, at) =>
    lines.slice(Math.max(at - AROUND, 0), at + AROUND + 1).some((line) => line.kind !== 'same'),
  );
  return lines.flatMap((line, at): Line[] => {
    if (isNear[at]) return [line];
    return at === 0 || isNear[at - 1] ? [{ kind: 'skipped', text: '' }] : [];
  });
}

/** Adds a final line break, so that it does not count as a difference. */
function ended(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}
