import type { comparePiece, PieceDoc, PiecePart } from '@officium/contract/authoring';
import type { Locale } from '@officium/contract/common';
import type { ReplyOf } from '@officium/contract/endpoint';
import { LOCALES } from '@officium/i18n/locales';
import { pickText } from '#server/text/localised.ts';
import { LineComparison } from './line-diff.policy.ts';
import { textsOf } from './piece.policy.ts';

type Change = ReplyOf<typeof comparePiece>['changes'][number];

/** Compares two states of a piece: texts by language, then fields without a language. */
export function differences(before: PieceDoc, after: PieceDoc, parts: readonly PiecePart[]): Change[] {
  const [then, now] = [textsOf(before), textsOf(after)];
  const comparison = new LineComparison();
  const change = (field: string, locale: Locale | null, one = '', other = ''): Change[] => {
    if (one === other) return [];
    const { lines, isCut } = comparison.compare(one, other);
    return [{ field, locale, lines, isCut: isCut || undefined }];
  };
  const [common, nowCommon] = [commonOf(before, parts), commonOf(after, parts)];
  return [
    ...namesOf(then, now).flatMap((field) =>
      LOCALES.flatMap((locale) => change(field, locale, then[field]?.[locale], now[field]?.[locale])),
    ),
    ...namesOf(common, nowCommon).flatMap((field) => change(field, null, common[field], nowCommon[field])),
  ];
}

const namesOf = (one: object, other: object) => [...new Set([...Object.keys(one), ...Object.keys(other)])];

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
