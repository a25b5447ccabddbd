import type { SEARCH_GROUPS } from '@officium/contract/search';

/** As the contract has it. */
export const MAX_LENGTH = 200;

type Asked = { q: string; group?: (typeof SEARCH_GROUPS)[number] | undefined; page?: number };

export function addressOf({ q, group, page = 1 }: Asked): string {
  const query = new URLSearchParams({ q });
  if (group) query.set('group', group);
  if (page > 1) query.set('page', String(page));
  return `/search?${query}`;
}

/** One letter of an alphabet is in nearly every text; in other scripts it may be a word. */
export function isTooShort(q: string): boolean {
  return (
    /^\p{L}$/u.test(q.normalize('NFC')) &&
    !/^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]$/u.test(q)
  );
}

/** The words of a search, each on its own; empty when there is only one. */
export function wordsApart(q: string): string[] {
  const words = [
    ...new Set(q.split(/[\s"]+/).filter((word) => /[\p{L}\p{N}]{2}/u.test(word) && !word.startsWith('-'))),
  ];
  return words.length > 1 || words[0] !== q ? words.slice(0, 5) : [];
}
