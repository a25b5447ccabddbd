/**
 * The cookies of a visitor with the mark of what they have just written, so that the page that answers a form is read
 * from where it stands already. Of a name that comes twice the first counts.
 */
export function withMark(cookie: string, set: string[]): string {
  const mark = set.map((line) => /^(?:__Host-)?written=[^;]*/.exec(line)?.[0]).findLast((found) => found !== undefined);
  return [mark, cookie].filter(Boolean).join('; ');
}
