/** The scripts of `search_words` in the database, whose every character is a word there. */
const RUN = /[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]{2,}/g;

/** Several signs of "not" in a row, with what PostgreSQL ignores between them. */
const REPEATED_NOT = /-(?:[\s!&|()]*-)+/g;

/** What is asked, with one sign of "not" for several: PostgreSQL fails on more than 32 before one word. */
export function singleNots(asked: string): string {
  return asked.replace(REPEATED_NOT, '-');
}

/** What is asked, with quotes around what a person writes as one word and the database reads as many. */
export function quoteRuns(asked: string): string {
  const parts = asked.split('"');
  // What stands at an odd place stands in quotes already, unless nothing closes them.
  return parts.map((part, at) => (at % 2 === 1 ? part : part.replace(RUN, '"$&"'))).join('"');
}
