export const MARKS = ['bold', 'italic', 'heading', 'link', 'list', 'numbers', 'quote'] as const;
export type Mark = (typeof MARKS)[number];

/** Replaces `from` to `to` with `text`, then selects `select`. */
export type Change = { from: number; to: number; text: string; select: [number, number] };

const AROUND: Partial<Record<Mark, string>> = { bold: '**', italic: '_' };
const BEFORE: Partial<Record<Mark, (line: number) => string>> = {
  heading: () => '## ',
  list: () => '- ',
  numbers: (line) => `${line + 1}. `,
  quote: () => '> ',
};

/** The edit a toolbar button makes to a selection. Pressed again, it removes its markup. */
export function mark(kind: Mark, source: string, start: number, end: number): Change {
  const chosen = source.slice(start, end);
  const sign = AROUND[kind];
  if (sign !== undefined) {
    const n = sign.length;
    if (source.slice(start - n, start) === sign && source.slice(end, end + n) === sign)
      return { from: start - n, to: end + n, text: chosen, select: [start - n, end - n] };
    return { from: start, to: end, text: sign + chosen + sign, select: [start + n, end + n] };
  }
  if (kind === 'link') {
    const isAddress = /^https?:\/\/\S+$/.test(chosen);
    const text = isAddress ? `[](${chosen})` : `[${chosen}](https://)`;
    const caret = isAddress ? start + 1 : start + chosen.length + 3;
    return { from: start, to: end, text, select: [caret, isAddress ? caret : caret + 'https://'.length] };
  }
  return markLines(BEFORE[kind]!, source, start, end); // the other marks are line prefixes
}

function markLines(signOf: (line: number) => string, source: string, start: number, end: number): Change {
  const from = source.lastIndexOf('\n', start - 1) + 1;
  const next = source.indexOf('\n', end);
  const to = next < 0 ? source.length : next;
  const lines = source.slice(from, to).split('\n');
  const isMarked = lines.every((line, index) => line.startsWith(signOf(index)));
  const text = lines
    .map((line, index) => (isMarked ? line.slice(signOf(index).length) : signOf(index) + line))
    .join('\n');
  return { from, to, text, select: [from + text.length, from + text.length] };
}
