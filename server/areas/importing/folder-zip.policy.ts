import { AppError } from '#server/errors.ts';
import { CONTENT_FILE } from './folder-reader.format.ts';
import { isInside } from '#server/areas/catalogue/image-path.policy.ts';

export const MAX_ENTRIES = 10_000;
export const MAX_UNPACKED_BYTES = 256 * 1024 * 1024;
/** Text shrinks to a fifth, text that repeats itself to a fiftieth; what shrinks further was made to burst. */
const MAX_RATIO = 200;
/** Below this nothing bursts. */
const RATIO_COUNTS_FROM = 4 * 1024 * 1024;
const MAX_NAME = 1024;
/** What file systems take for a part of a path. */
const MAX_PART_BYTES = 255;

/** What an archive says of one of its entries. */
export type ListedEntry = {
  name: string;
  isDirectory: boolean;
  isEncrypted: boolean;
  isSymlink: boolean;
  /** Of the file system it was packed on; 0 when it does not say. */
  unixMode: number;
  compressedBytes: number;
  bytes: number;
};

/** A refusal that names the entry it is about. */
export function refuseEntry(
  code: 'content.zip_unsafe_name' | 'content.zip_repeated_name' | 'content.zip_wrong_file' | 'content.zip_bad_picture',
  name: string,
): AppError {
  return new AppError(code, { body: { file: shown(name) } });
}

/** A name as it can be shown: without what would break a line or turn its direction. */
function shown(name: string): string {
  return name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\ufffd]/gu, '·').slice(0, 200);
}

const PICTURE = /\.(png|jpe?g|gif|webp|avif)$/i;
const TEXT = /\.(ya?ml|md|markdown|txt)$/i;
/** Texts that name themselves. */
const NAMELESS = /^(licen[cs]e|notice|readme|authors|copying)$/i;

export const isPictureName = (path: string) => PICTURE.test(path);

/** What operating systems leave in a folder without being asked. */
function isLitter(path: string): boolean {
  const parts = path.split('/');
  return parts[0] === '__MACOSX' || /^(\.DS_Store|Thumbs\.db|desktop\.ini|\._.*)$/i.test(parts.at(-1) ?? '');
}

/** The files that are looked at, with their place in the content folder. Throws what is wrong with the archive. */
export function chooseEntries<Entry extends ListedEntry>(entries: Entry[]): { path: string; entry: Entry }[] {
  if (entries.length > MAX_ENTRIES) throw new AppError('content.zip_too_large');
  for (const entry of entries) requireSafe(entry);
  requireDifferent(entries);
  requireModest(entries);
  const files = entries.filter((entry) => !entry.isDirectory && !isLitter(entry.name));
  const root = rootOf(files.map(({ name }) => name));
  const chosen = files.filter(({ name }) => name.startsWith(root));
  for (const { name } of chosen) {
    const last = name.split('/').at(-1) ?? '';
    if (!PICTURE.test(last) && !TEXT.test(last) && !NAMELESS.test(last))
      throw refuseEntry('content.zip_wrong_file', name);
  }
  return chosen.map((entry) => ({ path: entry.name.slice(root.length), entry }));
}

function requireSafe({ name, isDirectory, isEncrypted, isSymlink, unixMode }: ListedEntry): void {
  if (isEncrypted) throw new AppError('content.zip_encrypted');
  const kind = unixMode & 0o170000;
  const isOrdinary = kind === 0 || kind === (isDirectory ? 0o040000 : 0o100000);
  const path = isDirectory ? name.replace(/\/$/, '') : name;
  const isPlain =
    name.length <= MAX_NAME &&
    isInside(path) &&
    // Whatever a file system would read otherwise than we do: control characters, `a//b`, `./a`, `a/../b`, `a:b`.
    !/[\p{Cc}\ufffd:]/u.test(name) &&
    path
      .split('/')
      .every((part) => part !== '' && part !== '.' && part !== '..' && Buffer.byteLength(part) <= MAX_PART_BYTES);
  if (isSymlink || !isOrdinary || !isPlain) throw refuseEntry('content.zip_unsafe_name', name);
}

/** One name each, also where capitals and ways of writing an accent are not told apart; and no file that is a folder too. */
function requireDifferent(entries: ListedEntry[]): void {
  const fold = (name: string) => name.normalize('NFC').toLowerCase().normalize('NFC');
  const files = new Set<string>();
  for (const { name, isDirectory } of entries) {
    const folded = fold(name);
    if (isDirectory) continue;
    if (files.has(folded)) throw refuseEntry('content.zip_repeated_name', name);
    files.add(folded);
  }
  for (const { name } of entries) {
    const parts = fold(name).split('/');
    for (let depth = 1; depth < parts.length; depth++)
      if (files.has(parts.slice(0, depth).join('/'))) throw refuseEntry('content.zip_repeated_name', name);
  }
}

/** By what the archive says of itself; what is unpacked is counted again. */
function requireModest(entries: ListedEntry[]): void {
  const packed = entries.reduce((sum, entry) => sum + entry.compressedBytes, 0);
  const unpacked = entries.reduce((sum, entry) => sum + entry.bytes, 0);
  if (isTooMuch({ packed, unpacked })) throw new AppError('content.zip_too_large');
}

/** Whether so much comes of so little that it must not be unpacked to its end. */
export function isTooMuch({ packed, unpacked }: { packed: number; unpacked: number }): boolean {
  return unpacked > MAX_UNPACKED_BYTES || (unpacked > RATIO_COUNTS_FROM && unpacked > packed * MAX_RATIO);
}

/** Where the content file stands: at the root, or in the one folder that was packed. */
function rootOf(names: string[]): string {
  if (names.includes(CONTENT_FILE)) return '';
  const tops = new Set(names.map((name) => name.slice(0, name.indexOf('/') + 1)));
  const [top = ''] = tops;
  if (tops.size !== 1 || !names.includes(top + CONTENT_FILE)) throw new AppError('content.zip_no_content');
  return top;
}
