import { type RawBuilder, sql } from 'kysely';

/** Characters of scripts in which one or two form a word. Must match `search_signs` in the database. */
const SHORT_WORD = /^[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]{1,2}$/;

/** Escapes a word for LIKE. Normalises first, because unaccent would otherwise produce unescaped characters. */
export function escapeLike(word: string): string {
  return word.normalize('NFKC').replace(/[\\%_]/g, '\\$&');
}

/** True for words too short for the trigram index, which are looked up by character. */
export function isTooShortForTrigrams(word: string): boolean {
  return SHORT_WORD.test(word.normalize('NFKC'));
}

/** Condition: the profile of account `u` contains the word. */
export function containsWord(word: string): RawBuilder<boolean> {
  const holds = sql<boolean>`u.search_text like search_form(${`%${escapeLike(word)}%`}::text)`;
  return isTooShortForTrigrams(word)
    ? sql<boolean>`(search_signs(u.search_text) @> array[search_form(${word}::text)] and ${holds})`
    : holds;
}
