/** The tasks of a text that has one on each line. Marks and numbers of pasted lists are no part of a task. */
export function linesOf(text: string): string[] {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => line.replace(/^\s*(?:[-*•–]|\d{1,2}[.)])\s+/, '').trim())
    .filter(Boolean);
}
