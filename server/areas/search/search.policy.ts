/** The scripts of `search_words` in the database, whose every character is a word there. */
const CHARACTER = String.raw`[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]`;
const RUN = new RegExp(`${CHARACTER}{2,}`, 'g');

/** Several signs of "not" in a row, with what PostgreSQL ignores between them. */
const REPEATED_NOT = /-(?:[\s!&|()]*-)+/g;

/** The query with repeated "not" signs collapsed: PostgreSQL fails on more than 32 before one word. */
export function singleNots(asked: string): string {
  return asked.replace(REPEATED_NOT, '-');
}

/** What is asked, with quotes around what a person writes as one word and the database reads as many. */
export function quoteRuns(asked: string): string {
  const parts = asked.split('"');
  // What stands at an odd place stands in quotes already, unless nothing closes them.
  return parts.map((part, at) => (at % 2 === 1 ? part : part.replace(RUN, '"$&"'))).join('"');
}

/** A word as the database counts them: a run of letters and digits, or a single character of the scripts above. */
const WORD = new RegExp(String.raw`${CHARACTER}|(?:(?!${CHARACTER})[\p{L}\p{M}\p{N}])+`, 'gu');

const MAX_WORDS = 32;

/** The first 32 words of a query: each further word costs time for every text that is ranked. */
export function firstWords(asked: string): string {
  const next = [...asked.matchAll(WORD)][MAX_WORDS];
  return next ? asked.slice(0, next.index) : asked;
}
