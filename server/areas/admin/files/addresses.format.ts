import { setImmediate } from 'node:timers/promises';
import { MAX_FILE_ROWS, WRONG_ROWS_KEPT } from '@officium/contract/cohorts';
import { Email } from '@officium/contract/common';
import { AppError } from '#server/errors.ts';
import { decodeText } from './encoding.format.ts';
import { readDelimited } from './delimited.format.ts';
import { tooManyRows, type TableLine } from './table.format.ts';

export type Column = { label: string; addresses: number };
export type WrongRow = { row: number; value: string; reason: 'missing' | 'malformed' };

/** The addresses found in a file. */
export type Addresses = {
  columns: Column[];
  column: number;
  rows: number;
  /** Distinct and sorted. */
  emails: string[];
  repeated: number;
  wrong: number;
  /** The first of them. */
  wrongRows: WrongRow[];
};

/** Reads a CSV file or a workbook, detected by its first bytes. */
export async function readTable(bytes: Uint8Array): Promise<TableLine[]> {
  const isArchive = bytes[0] === 0x50 && bytes[1] === 0x4b; // "PK", the ZIP signature
  if (!isArchive) return readDelimited(decodeText(bytes));
  const { readWorkbook } = await import('./workbook.format.ts');
  return await readWorkbook(bytes);
}

/** Headings of address columns in the supported languages, without spaces and hyphens. */
const HEADINGS =
  /e?mail|correo|courriel|posta|poczt|correio|surel|メール|이메일|메일|전자우편|пошт|имејл|имеил|мејл|بريد|ايميل|إيميل|thưđiệntử/u;

const heads = (cell: string) =>
  HEADINGS.test(
    cell
      .normalize('NFKC')
      .toLowerCase()
      .replaceAll(/[\s_.-]/g, ''),
  );

/** Parses an address: alone, or in angle brackets after a name. */
function addressOf(cell: string): string | undefined {
  const bare = /<([^<>]+)>\s*$/.exec(cell)?.[1] ?? cell.replace(/^mailto:/i, '');
  if (!bare.includes('@')) return undefined;
  const parsed = Email.safeParse(bare);
  return parsed.success ? parsed.data : undefined;
}

/** Rows parsed before yielding to other requests. */
const ROWS_AT_ONCE = 5_000;

/** Finds the column with the addresses, unless one is given, and parses it. */
export async function findAddresses(table: TableLine[], chosen?: number): Promise<Addresses> {
  const lines = unrolled(table);
  const counts = await countAddresses(lines);
  const first = lines[0]?.cells ?? [];
  const most = Math.max(0, ...counts);
  if (most === 0) throw new AppError('admin.file_no_addresses');
  const named = first.map((cell, at) => (heads(cell) && addressOf(cell) === undefined ? (counts[at] ?? 0) : 0));
  const best = Math.max(0, ...named);
  const column = chosen ?? (best > 0 ? named.indexOf(best) : counts.indexOf(most));
  if (!counts[column]) throw new AppError('admin.file_no_addresses');

  // A first line without an @ where the addresses are is a heading.
  const hasHeading = lines.length > 1 && !(first[column] ?? '').includes('@');
  const rows = hasHeading ? lines.slice(1) : lines;
  if (rows.length > MAX_FILE_ROWS) throw tooManyRows();
  const columns = counts.map((addresses, at) => ({
    label: hasHeading ? (first[at] ?? '').slice(0, 80).toWellFormed() : '',
    addresses,
  }));
  return { columns, column, rows: rows.length, ...(await gather(rows, column)) };
}

async function countAddresses(lines: TableLine[]): Promise<number[]> {
  const counts: number[] = [];
  for (const [nth, { cells }] of lines.entries()) {
    if (nth % ROWS_AT_ONCE === 0) await setImmediate();
    for (const [at, cell] of cells.entries()) {
      counts[at] ??= 0;
      // An @ is enough to find the column; the chosen one is validated fully.
      if (cell.includes('@')) counts[at] += 1;
    }
  }
  return Array.from(counts, (count) => count ?? 0);
}

async function gather(
  rows: TableLine[],
  column: number,
): Promise<Pick<Addresses, 'emails' | 'repeated' | 'wrong' | 'wrongRows'>> {
  const emails = new Set<string>();
  const wrongRows: WrongRow[] = [];
  let [repeated, wrong] = [0, 0];
  for (const [nth, { number, cells }] of rows.entries()) {
    if (nth % ROWS_AT_ONCE === 0) await setImmediate();
    const value = cells[column] ?? '';
    const email = addressOf(value);
    if (email === undefined) {
      wrong += 1;
      const reason = value === '' ? 'missing' : 'malformed';
      if (wrongRows.length < WRONG_ROWS_KEPT) wrongRows.push({ row: number, value, reason });
    } else if (emails.has(email)) repeated += 1;
    else emails.add(email);
  }
  if (emails.size === 0) throw new AppError('admin.file_no_addresses');
  return { emails: [...emails].sort(), repeated, wrong, wrongRows };
}

/** Pasted addresses may be on one line, as in a mail header: then each becomes a row. */
function unrolled(lines: TableLine[]): TableLine[] {
  const isList =
    lines.length > 0 && lines.every(({ cells }) => cells.every((cell) => cell === '' || cell.includes('@')));
  if (!isList || lines.every(({ cells }) => cells.filter(Boolean).length < 2)) return lines;
  return lines.flatMap(({ number, cells }) => cells.filter(Boolean).map((cell) => ({ number, cells: [cell] })));
}
