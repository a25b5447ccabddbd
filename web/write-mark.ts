/**
 * Adds the write mark that the API has just set to the visitor's cookies, so that the page that answers a form reads
 * its own write. Of duplicate names the first counts.
 */
export function withMark(cookie: string, set: string[]): string {
  const mark = set.map((line) => /^(?:__Host-)?written=[^;]*/.exec(line)?.[0]).findLast((found) => found !== undefined);
  return [mark, cookie].filter(Boolean).join('; ');
}
