import { Uint8ArrayReader, ZipReader, configure, type FileEntry } from '@zip.js/zip.js';
import { Parser } from 'htmlparser2';
import { AppError } from '#server/errors.ts';
import {
  cleanCell,
  MAX_CELL,
  MAX_COLUMNS,
  MAX_LINES,
  tooManyRows,
  unreadable,
  type TableLine,
} from './table.format.ts';

configure({ useWebWorkers: false }); // web workers exist only in browsers

/** Limit on unpacked bytes, counted while reading because the sizes in an archive cannot be trusted. */
const MAX_UNPACKED_BYTES = 64 * 1024 * 1024;
const MAX_ENTRIES = 1000;
const MAX_STRINGS = 500_000;
/** Workbooks nest about ten elements. The parser's time grows with the square of the depth. */
const MAX_DEPTH = 100;
const TIME_MS = 10_000;

/** The remaining budget of bytes. */
type Budget = { bytes: number; until: number };

/**
 * Reads the first sheet of a workbook (XLSX). The XML is parsed as a stream, without document types or entities beyond
 * the predefined ones.
 */
export async function readWorkbook(bytes: Uint8Array): Promise<TableLine[]> {
  const zip = new ZipReader(new Uint8ArrayReader(bytes), { checkSignature: false });
  const budget: Budget = { bytes: MAX_UNPACKED_BYTES, until: performance.now() + TIME_MS };
  try {
    const files = new Map<string, FileEntry>();
    for await (const entry of zip.getEntriesGenerator()) {
      if (files.size >= MAX_ENTRIES) throw unreadable();
      if (!entry.directory) files.set(entry.filename, entry);
    }
    const sheet = files.get(await firstSheet(files, budget));
    if (!sheet) throw unreadable();
    const strings = files.get('xl/sharedStrings.xml');
    const shared = strings ? await readStrings(strings, budget) : [];
    return await readSheet(sheet, shared, budget);
  } catch (error) {
    throw error instanceof AppError ? error : unreadable();
  } finally {
    await zip.close();
  }
}

type Handlers = {
  open?: (name: string, attributes: Record<string, string>) => void;
  text?: (text: string) => void;
  close?: (name: string) => void;
};

const localName = (name: string) => name.slice(name.indexOf(':') + 1);

/** Streams the XML of a file in the archive within the budget. */
async function parse(entry: FileEntry, budget: Budget, { open, text, close }: Handlers): Promise<void> {
  let depth = 0;
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        depth += 1;
        if (depth > MAX_DEPTH) throw unreadable();
        open?.(localName(name), attributes);
      },
      ontext: (data) => text?.(data),
      onclosetag: (name) => {
        depth -= 1;
        close?.(localName(name));
      },
      onerror: (error) => {
        throw error;
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  const decoder = new TextDecoder();
  const sink = new WritableStream<Uint8Array>({
    write(chunk) {
      budget.bytes -= chunk.length;
      if (budget.bytes < 0) throw new AppError('admin.file_too_large');
      if (performance.now() > budget.until) throw unreadable();
      parser.write(decoder.decode(chunk, { stream: true }));
    },
  });
  await entry.getData(sink);
  parser.end(decoder.decode());
}

/** Finds the path of the first sheet through the workbook and its relationships. */
async function firstSheet(files: Map<string, FileEntry>, budget: Budget): Promise<string> {
  const workbook = files.get('xl/workbook.xml');
  const relations = files.get('xl/_rels/workbook.xml.rels');
  if (!workbook || !relations) throw unreadable();
  let id: string | undefined;
  await parse(workbook, budget, {
    open: (name, attributes) => {
      if (name === 'sheet') id ??= attributes['r:id'] ?? attributes['relationships:id'];
    },
  });
  let target = '';
  await parse(relations, budget, {
    open: (name, attributes) => {
      if (name === 'Relationship' && attributes['Id'] === id) target = attributes['Target'] ?? '';
    },
  });
  return target.startsWith('/') ? target.slice(1) : `xl/${target}`;
}

/** The shared strings that cells refer to by index, without phonetic readings of Japanese. */
async function readStrings(entry: FileEntry, budget: Budget): Promise<string[]> {
  const strings: string[] = [];
  let current: string | undefined;
  let isText = false;
  let isReading = false;
  await parse(entry, budget, {
    open: (name) => {
      if (name === 'si') current = '';
      if (name === 'rPh') isReading = true;
      if (name === 't') isText = !isReading;
    },
    text: (text) => {
      if (isText && current !== undefined && current.length <= MAX_CELL) current += text;
    },
    close: (name) => {
      if (name === 't') isText = false;
      if (name === 'rPh') isReading = false;
      if (name !== 'si' || current === undefined) return;
      if (strings.length >= MAX_STRINGS) throw tooManyRows();
      strings.push(cleanCell(current));
      current = undefined;
    },
  });
  return strings;
}

async function readSheet(entry: FileEntry, shared: string[], budget: Budget): Promise<TableLine[]> {
  const lines: TableLine[] = [];
  let line: TableLine = { number: 0, cells: [] };
  let cell = { column: -1, type: '', value: '' };
  let isValue = false;
  await parse(entry, budget, {
    open: (name, attributes) => {
      if (name === 'row') line = { number: Number(attributes['r']) || line.number + 1, cells: [] };
      if (name === 'c') {
        const column = attributes['r'] === undefined ? cell.column + 1 : columnOf(attributes['r']);
        cell = { column, type: attributes['t'] ?? 'n', value: '' };
      }
      if (name === 'v' || name === 't') isValue = true;
    },
    text: (text) => {
      if (isValue && cell.value.length <= MAX_CELL) cell.value += text;
    },
    close: (name) => {
      if (name === 'v' || name === 't') isValue = false;
      if (name === 'c') setCell(line, cell, shared);
      if (name !== 'row') return;
      cell = { column: -1, type: '', value: '' };
      if (line.cells.some((value) => value !== '')) lines.push(line);
      if (lines.length > MAX_LINES) throw tooManyRows();
    },
  });
  return lines;
}

function setCell(
  { cells }: TableLine,
  { column, type, value }: { column: number; type: string; value: string },
  shared: string[],
) {
  if (column < 0 || column >= MAX_COLUMNS) return;
  while (cells.length < column) cells.push('');
  cells[column] = type === 's' ? (shared[Number(value)] ?? '') : cleanCell(value);
}

/** Column index of a cell reference: 0 for A1, 27 for AB3. */
function columnOf(reference: string): number {
  const letters = /^[A-Z]{1,3}/.exec(reference)?.[0] ?? '';
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}
