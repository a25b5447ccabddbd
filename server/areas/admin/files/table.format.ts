import { AppError } from '#server/errors.ts';

/** A line of a file: its number as a spreadsheet counts them, from 1, and its cells. */
export type TableLine = { number: number; cells: string[] };

export const MAX_COLUMNS = 200;
/** A cell that is longer holds no address; so much of it is shown. */
export const MAX_CELL = 320;
/** With room for a heading and empty lines. */
export const MAX_LINES = 110_000;

export const unreadable = () => new AppError('admin.file_unreadable');
export const tooManyRows = () => new AppError('admin.file_too_many_rows');

/** Text as it may be stored and shown: without what no address has and no database takes. */
export function cleanCell(text: string): string {
  return text.slice(0, MAX_CELL).toWellFormed().replaceAll(CONTROL, '\uFFFD').trim();
}

// Everything that neither prints nor separates words; a heading may be written over two lines.
const CONTROL = /[^\P{Cc}\t\n\r]/gu;
