import { isLocale } from '@officium/i18n/locales';
import { LISTED, STATES } from './kinds.ts';

const SORTS = ['title', '-title', 'updated', '-updated', 'kind', '-kind'] as const;

/** Reads the query of the list from the address; invalid values are ignored. */
export function queryOf({ searchParams }: URL) {
  const one = <T extends string>(values: readonly T[], name: string): T | undefined =>
    values.find((value) => value === searchParams.get(name));
  const language = searchParams.get('language');
  const missing = searchParams.get('missing');
  const kind = one(LISTED, 'kind');
  const state = one(STATES, 'state');
  return {
    q: (searchParams.get('q') ?? '').trim().slice(0, 200),
    sort: one(SORTS, 'sort') ?? ('-updated' as const),
    ...(kind ? { kind } : {}),
    ...(state ? { state } : {}),
    ...(isLocale(language) ? { language } : {}),
    ...(isLocale(missing) ? { missing } : {}),
  };
}
export type PiecesQuery = ReturnType<typeof queryOf>;

/** Whether the address asks for a list of what it describes; else the page shows the tree. */
export function isSearch({ q, kind, state, language, missing }: PiecesQuery, { searchParams }: URL): boolean {
  return Boolean(q || kind || state || language || missing || searchParams.get('sort'));
}
