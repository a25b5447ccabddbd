import { isLocale, type Locale } from '@officium/i18n/locales';
import type { Doc } from './kinds.ts';

export type Change = {
  field: string;
  locale: Locale | null;
  lines: { kind: 'same' | 'added' | 'removed' | 'skipped'; text: string }[];
  isCut?: true | undefined;
};

/** The longest text has tens of thousands of lines, in each language. */
const MAX_LINES = 300;

/** Line differences between two versions, field by field, without common lines at the start and end. */
export function differences(own: Doc, theirs: Doc): Change[] {
  const [mine, others] = [fieldsOf(own), fieldsOf(theirs)];
  return [...new Set([...mine.keys(), ...others.keys()])].flatMap((name) => {
    const [before, after] = [mine.get(name) ?? '', others.get(name) ?? ''];
    const [field = '', locale] = name.split(' ');
    return before === after ? [] : [{ field, locale: isLocale(locale) ? locale : null, ...linesOf(before, after) }];
  });
}

/** Every value by field name; texts by field name and language. */
function fieldsOf(doc: Doc): Map<string, string> {
  const found = new Map<string, string>();
  for (const [name, value] of Object.entries(doc)) {
    if (typeof value !== 'object' || value === null) found.set(name, String(value ?? ''));
    else if (name === 'sections' && 'sections' in doc)
      for (const [at, { heading, lessons }] of doc.sections.entries()) {
        for (const [locale, text] of Object.entries(heading)) found.set(`sections.${at} ${locale}`, text);
        found.set(`lessons.${at}`, lessons.join('\n'));
      }
    else if (Array.isArray(value)) found.set(name, value.join('\n'));
    else for (const [locale, text] of Object.entries(value)) found.set(`${name} ${locale}`, String(text));
  }
  return found;
}

function linesOf(before: string, after: string): Pick<Change, 'lines' | 'isCut'> {
  const [mine, theirs] = [before.split('\n'), after.split('\n')];
  let start = 0;
  while (start < Math.min(mine.length, theirs.length) && mine[start] === theirs[start]) start++;
  let end = 0;
  while (end < Math.min(mine.length, theirs.length) - start && mine.at(-1 - end) === theirs.at(-1 - end)) end++;
  const rest = (lines: string[]) => lines.slice(start, lines.length - end);
  const skipped = (count: number) => (count > 0 ? [{ kind: 'skipped' as const, text: '' }] : []);
  const first = (kind: 'removed' | 'added', lines: string[]) => [
    ...lines.slice(0, MAX_LINES).map((text) => ({ kind, text })),
    ...skipped(lines.length - MAX_LINES),
  ];
  const [removed, added] = [rest(mine), rest(theirs)];
  return {
    lines: [...skipped(start), ...first('removed', removed), ...first('added', added), ...skipped(end)],
    isCut: Math.max(removed.length, added.length) > MAX_LINES || undefined,
  };
}
