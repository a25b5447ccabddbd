import { AppError } from '#server/errors.ts';

/** A row of a file: its spreadsheet number, from 1, and its cells. */
export type TableLine = { number: number; cells: string[] };

export const MAX_COLUMNS = 200;
/** Longer cells cannot be addresses and are cut to this length for display. */
export const MAX_CELL = 320;
/** Leaves room for a heading and empty rows. */
export const MAX_LINES = 110_000;

export const unreadable = () => new AppError('admin.file_unreadable');
export const tooManyRows = () => new AppError('admin.file_too_many_rows');

/** Cleans text for storage and display: removes characters that PostgreSQL rejects or that addresses never contain. */
export function cleanCell(text: string): string {
  return text.slice(0, MAX_CELL).toWellFormed().replaceAll(CONTROL, '\uFFFD').trim();
}

// Non-printing characters other than whitespace; a heading may span two lines.
const CONTROL = /[^\P{Cc}\t\n\r]/gu;
