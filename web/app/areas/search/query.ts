import type { SEARCH_GROUPS, SEARCH_PERIODS } from '@officium/contract/search';
import { isLocale, type Locale } from '@officium/i18n/locales';

/** The contract's limit. */
export const MAX_LENGTH = 200;

type Period = (typeof SEARCH_PERIODS)[number];

// Copied: importing the contract's list would bring its validation into the browser.
export const PERIODS = Object.keys({ week: true, month: true, year: true } satisfies Record<Period, true>) as Period[]; // the keys are Period by construction

/** The filters of a search, named as in the address and in the API. */
export type Filters = {
  language?: Locale;
  community?: string;
  author?: string;
  within?: Period;
  from?: string;
  to?: string;
};
export type FilterName = keyof Filters;

type Asked = { q: string; group?: (typeof SEARCH_GROUPS)[number] | undefined; filters?: Filters; page?: number };

export function addressOf({ q, group, filters = {}, page = 1 }: Asked): string {
  const query = new URLSearchParams({ q });
  if (group) query.set('group', group);
  for (const [name, value] of Object.entries(filters)) query.set(name, value);
  if (page > 1) query.set('page', String(page));
  return `/search?${query}`;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A day that exists, from the year 1 on. */
function dayOf(value: string | null): string | undefined {
  if (!value || !/^\d{4}-\d{2}-\d{2}$/.test(value) || value.startsWith('0000')) return undefined;
  const day = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(value) ? value : undefined;
}

/** Reads the filters from the address; values that cannot be meant are ignored. */
export function filtersOf(query: URLSearchParams): Filters {
  const language = query.get('language');
  const community = query.get('community')?.trim() ?? '';
  const author = query.get('author') ?? '';
  const within = PERIODS.find((known) => known === query.get('within'));
  const from = dayOf(query.get('from'));
  const to = dayOf(query.get('to'));
  return {
    ...(isLocale(language) && { language }),
    ...(community !== '' && community.length <= 256 && { community }),
    ...(UUID.test(author) && { author: author.toLowerCase() }),
    ...(within && { within }),
    ...(from && { from }),
    ...(to && { to }),
  };
}

/** The same filters without one. */
export function without(filters: Filters, name: FilterName): Filters {
  const { [name]: _removed, ...rest } = filters;
  return rest;
}

/** A single letter of an alphabet matches nearly every text; in other scripts it may be a word. */
export function isTooShort(q: string): boolean {
  return (
    /^\p{L}$/u.test(q.normalize('NFC')) &&
    !/^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]$/u.test(q)
  );
}

/** The separate words of a search; empty when there is only one. */
export function wordsApart(q: string): string[] {
  const words = [
    ...new Set(q.split(/[\s"]+/).filter((word) => /[\p{L}\p{N}]{2}/u.test(word) && !word.startsWith('-'))),
  ];
  return words.length > 1 || words[0] !== q ? words.slice(0, 5) : [];
}
