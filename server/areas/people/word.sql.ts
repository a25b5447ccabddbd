import { type RawBuilder, sql } from 'kysely';

/** Signs of which one or two are a word; the same as in `search_signs` in the database. */
const SIGNS = /^[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]{1,2}$/;

/** A word as a pattern has it. Wide forms become what they stand for before that: unaccent would do it after. */
export function escaped(word: string): string {
  return word.normalize('NFKC').replace(/[\\%_]/g, '\\$&');
}

/** Is it too short for the index of trigrams, and looked up by its signs? */
export function isOfSigns(word: string): boolean {
  return SIGNS.test(word.normalize('NFKC'));
}

/** Has the profile of the account `u` this word somewhere? */
export function holdsWord(word: string): RawBuilder<unknown> {
  const holds = sql`u.search_text like search_form(${`%${escaped(word)}%`}::text)`;
  return isOfSigns(word) ? sql`(search_signs(u.search_text) @> array[search_form(${word}::text)] and ${holds})` : holds;
}
