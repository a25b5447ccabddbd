import { AppError } from '#server/errors.ts';
import { CONTENT_FILE } from './folder-reader.format.ts';
import { isMediaName, isPictureName } from './file-name.policy.ts';
import { isInside } from '#server/areas/catalogue/image-path.policy.ts';

export const MAX_ENTRIES = 10_000;
export const MAX_UNPACKED_BYTES = 256 * 1024 * 1024;
/** Text compresses to a fifth, repetitive text to a fiftieth. A higher ratio indicates a ZIP bomb. */
const MAX_RATIO = 200;
/** Below this size the ratio is not checked. */
const RATIO_COUNTS_FROM = 4 * 1024 * 1024;
const MAX_NAME = 1024;
/** Limit of file systems for one path component. */
const MAX_PART_BYTES = 255;

/** The archive's metadata of one entry. */
export type ListedEntry = {
  name: string;
  isDirectory: boolean;
  isEncrypted: boolean;
  isSymlink: boolean;
  /** Unix mode and file type; 0 when not stored. */
  unixMode: number;
  compressedBytes: number;
  bytes: number;
};

/** Creates an error that names the offending entry. */
export function refuseEntry(
  code: 'content.zip_unsafe_name' | 'content.zip_repeated_name' | 'content.zip_wrong_file' | 'content.zip_bad_picture',
  name: string,
): AppError {
  return new AppError(code, { body: { file: shown(name) } });
}

/** Makes a name displayable by replacing line breaks and direction marks. */
export function shown(name: string): string {
  return name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\ufffd]/gu, '·').slice(0, 200);
}

const TEXT = /\.(ya?ml|md|markdown|txt)$/i;
/** Text files without an extension. */
const NAMELESS = /^(licen[cs]e|notice|readme|authors|copying)$/i;

/** Metadata files that operating systems create. */
function isLitter(path: string): boolean {
  const parts = path.split('/');
  return parts[0] === '__MACOSX' || /^(\.DS_Store|Thumbs\.db|desktop\.ini|\._.*)$/i.test(parts.at(-1) ?? '');
}

/** Selects the files to unpack, with their paths in the content folder. Throws if the archive is unacceptable. */
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
    if (!isPictureName(last) && !isMediaName(last) && !TEXT.test(last) && !NAMELESS.test(last))
      throw refuseEntry('content.zip_wrong_file', name);
  }
  return chosen.map((entry) => ({ path: entry.name.slice(root.length), entry }));
}

/** Refuses encrypted entries, links, and names that leave the folder or that file systems interpret differently. */
export function requireSafe({ name, isDirectory, isEncrypted, isSymlink, unixMode }: ListedEntry): void {
  if (isEncrypted) throw new AppError('content.zip_encrypted');
  const kind = unixMode & 0o170000;
  const isOrdinary = kind === 0 || kind === (isDirectory ? 0o040000 : 0o100000);
  const path = isDirectory ? name.replace(/\/$/, '') : name;
  const isPlain =
    name.length <= MAX_NAME &&
    isInside(path) &&
    // Reject names that file systems may interpret differently: control characters, `a//b`, `./a`, `a/../b`, `a:b`.
    !/[\p{Cc}\ufffd:]/u.test(name) &&
    path
      .split('/')
      .every((part) => part !== '' && part !== '.' && part !== '..' && Buffer.byteLength(part) <= MAX_PART_BYTES);
  if (isSymlink || !isOrdinary || !isPlain) throw refuseEntry('content.zip_unsafe_name', name);
}

/** Rejects names that are equal ignoring case and Unicode normalisation, and a file that is also a folder. */
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

/** Checks the sizes that the archive claims. Unpacking counts the actual bytes again. */
function requireModest(entries: ListedEntry[]): void {
  const packed = entries.reduce((sum, entry) => sum + entry.compressedBytes, 0);
  const unpacked = entries.reduce((sum, entry) => sum + entry.bytes, 0);
  if (isTooMuch({ packed, unpacked })) throw new AppError('content.zip_too_large');
}

/** Checks the size limit and the compression ratio. */
export function isTooMuch({ packed, unpacked }: { packed: number; unpacked: number }): boolean {
  return unpacked > MAX_UNPACKED_BYTES || isBomb({ packed, unpacked });
}

/** Checks the compression ratio. */
export function isBomb({ packed, unpacked }: { packed: number; unpacked: number }): boolean {
  return unpacked > RATIO_COUNTS_FROM && unpacked > packed * MAX_RATIO;
}

/** Finds the folder of the content file: the root, or the only top-level folder. */
function rootOf(names: string[]): string {
  if (names.includes(CONTENT_FILE)) return '';
  const tops = new Set(names.map((name) => name.slice(0, name.indexOf('/') + 1)));
  const [top = ''] = tops;
  if (tops.size !== 1 || !names.includes(top + CONTENT_FILE)) throw new AppError('content.zip_no_content');
  return top;
}
