import { cleanCell, MAX_COLUMNS, MAX_LINES, tooManyRows, type TableLine } from './table.format.ts';

const DELIMITERS = [',', ';', '\t'] as const;
/** Characters of the file used to detect the delimiter. */
const SAMPLE = 20_000;

/** Parses text separated by commas, semicolons or tabs, with quotes as in RFC 4180. Skips empty lines. */
export function readDelimited(text: string): TableLine[] {
  const named = /^sep=([,;\t])\r?\n/.exec(text); // a first line specific to Excel
  const body = named ? text.slice(named[0].length) : text;
  const delimiter = named?.[1] ?? delimiterOf(body.slice(0, SAMPLE));
  const lines: TableLine[] = [];
  let number = named ? 1 : 0;
  for (const cells of recordsOf(body, delimiter)) {
    number += 1;
    if (number > MAX_LINES) throw tooManyRows();
    if (cells.some((cell) => cell !== '')) lines.push({ number, cells });
  }
  return lines;
}

/** The most frequent delimiter outside quotes; a comma if there is none. */
function delimiterOf(sample: string): string {
  const plain = sample.replaceAll(/"[^"]*"/g, '');
  const counts = DELIMITERS.map((delimiter) => plain.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ',';
}

function* recordsOf(text: string, delimiter: string): Generator<string[]> {
  const special = new RegExp(`[${delimiter}\r\n]`, 'g');
  let at = 0;
  while (at < text.length) {
    const cells: string[] = [];
    for (let isLast = false; !isLast;) {
      const { value, end } = text[at] === '"' ? quoted(text, at, special) : plain(text, at, special);
      if (cells.length < MAX_COLUMNS) cells.push(cleanCell(value));
      isLast = text[end] !== delimiter;
      at = end + 1;
      if (text[end] === '\r' && text[at] === '\n') at += 1;
    }
    yield cells;
  }
}

type Cell = { value: string; /** Where what ends it stands. */ end: number };

function plain(text: string, from: number, special: RegExp): Cell {
  special.lastIndex = from;
  const end = special.exec(text)?.index ?? text.length;
  return { value: text.slice(from, end), end };
}

/** An unclosed quote is treated as an ordinary character. */
function quoted(text: string, from: number, special: RegExp): Cell {
  for (let at = from + 1; ;) {
    const quote = text.indexOf('"', at);
    if (quote === -1) return plain(text, from, special);
    if (text[quote + 1] === '"') {
      at = quote + 2;
      continue;
    }
    const { value: rest, end } = plain(text, quote + 1, special);
    return { value: text.slice(from + 1, quote).replaceAll('""', '"') + rest, end };
  }
}
