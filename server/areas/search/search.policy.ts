/** Characters of the scripts in which `search_words` makes each character a word. */
const CHARACTER = String.raw`[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]`;
const RUN = new RegExp(`${CHARACTER}{2,}`, 'g');

/** Consecutive "not" operators, with the characters PostgreSQL ignores between them. */
const REPEATED_NOT = /-(?:[\s!&|()]*-)+/g;

/** Collapses repeated "not" operators: PostgreSQL fails on more than 32 before one word. */
export function singleNots(query: string): string {
  return query.replace(REPEATED_NOT, '-');
}

/** Quotes the runs that people write as one word and the database parses as several. */
export function quoteRuns(query: string): string {
  const parts = query.split('"');
  // Parts at odd positions are quoted already, unless the closing quote is missing.
  return parts.map((part, index) => (index % 2 === 1 ? part : part.replace(RUN, '"$&"'))).join('"');
}

/** A word as the database counts it: a run of letters and digits, or a single character of the scripts above. */
const WORD = new RegExp(String.raw`${CHARACTER}|(?:(?!${CHARACTER})[\p{L}\p{M}\p{N}])+`, 'gu');

const MAX_WORDS = 32;

/** Keeps the first 32 words of a query: each further word costs time for every ranked text. */
export function firstWords(query: string): string {
  const next = [...query.matchAll(WORD)][MAX_WORDS];
  return next ? query.slice(0, next.index) : query;
}
