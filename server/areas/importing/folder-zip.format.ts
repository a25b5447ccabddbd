import { createReadStream, createWriteStream, openAsBlob } from 'node:fs';
import { mkdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { BlobReader, configure, ERR_UNSAFE_FILENAME, type FileEntry, ZipReader } from '@zip.js/zip.js';
import { AppError } from '#server/errors.ts';
import { pictureSize } from '#server/outside/picture.ts';
import { takeTurns } from '#server/outside/turns.ts';
import { MAX_FILE_BYTES } from './folder-reader.format.ts';
import {
  chooseEntries,
  isTooMuch,
  type ListedEntry,
  MAX_ENTRIES,
  MAX_UNPACKED_BYTES,
  refuseEntry,
} from './folder-zip.policy.ts';
import { isMediaName, isPictureName } from './file-name.policy.ts';
import { mediaType } from '#server/outside/media-type.ts';
import { imageType } from './image-type.format.ts';

configure({ useWebWorkers: false }); // workers are for browsers

const TIME_MS = 60_000;
/** A larger picture would exhaust the memory of browsers. */
const MAX_PIXELS = 100_000_000;

/** Unpack one archive at a time, so that concurrent uploads do not fill the disk. */
const inTurn = takeTurns({ running: 1, waiting: 10 });

type Tell = (done: number, total: number) => Promise<void>;

/**
 * Unpacks a content folder into an empty folder and returns the number of files. Writes nothing outside it and enforces
 * the limits on the actual data, not on the archive's claims. Throws an AppError for an invalid archive.
 */
export async function unpackFolder(zipFile: string, into: string, tell: Tell = async () => {}): Promise<number> {
  return await inTurn(async () => {
    const zip = new ZipReader(new BlobReader(await openAsBlob(zipFile)), {
      checkCrc32: true,
      checkOverlappingEntry: true,
    });
    try {
      const chosen = chooseEntries(await listEntries(zip));
      const budget: Budget = { packed: 0, unpacked: 0, until: performance.now() + TIME_MS };
      for (const [nth, { path, entry }] of chosen.entries()) {
        const isMedia = isMediaName(path) && !isText(path);
        await unpackEntry(entry.of, join(into, path), {
          budget,
          maxBytes: isMedia ? MAX_UNPACKED_BYTES : MAX_FILE_BYTES,
        });
        if (isPictureName(path)) await requirePicture(join(into, path), entry.name);
        if (isMedia) await requireMedia(join(into, path), entry.name);
        await tell(nth + 1, chosen.length);
      }
      return chosen.length;
    } catch (error) {
      if (error instanceof AppError || isOfDisk(error)) throw error;
      throw asRefusal(error);
    } finally {
      await zip.close();
    }
  });
}

/** True for errors of the file system, such as a full disk, as opposed to faults of the archive. */
export function isOfDisk(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}

/** Converts errors that the library throws. */
function asRefusal(error: unknown): AppError {
  const { message, filename } = error as { message?: string; filename?: string }; // errors of the library have these fields
  if (message === ERR_UNSAFE_FILENAME) return refuseEntry('content.zip_unsafe_name', filename ?? '');
  return new AppError('content.zip_unreadable', {}, { cause: error });
}

type Listed = ListedEntry & { of: FileEntry };

async function listEntries(zip: ZipReader<Blob>): Promise<Listed[]> {
  const entries: Listed[] = [];
  for await (const entry of zip.getEntriesGenerator()) {
    if (entries.length >= MAX_ENTRIES) throw new AppError('content.zip_too_large');
    entries.push({
      name: entry.filename,
      isDirectory: entry.directory,
      isEncrypted: entry.encrypted,
      isSymlink: entry.symlink,
      unixMode: entry.unixMode ?? entry.externalFileAttributes >>> 16,
      compressedBytes: entry.compressedSize,
      bytes: entry.uncompressedSize,
      of: entry as FileEntry, // directories are skipped before anything is read
    });
  }
  return entries;
}

/** Bytes processed so far, and the deadline. */
type Budget = { packed: number; unpacked: number; until: number };

async function unpackEntry(
  entry: FileEntry,
  file: string,
  { budget, maxBytes }: { budget: Budget; maxBytes: number },
): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  budget.packed += entry.compressedSize;
  let bytes = 0;
  const out = createWriteStream(file, { flags: 'wx', mode: 0o600 });
  let failure: Error | undefined;
  out.on('error', (error) => (failure = error));
  const sink = new WritableStream<Uint8Array>({
    async write(chunk) {
      bytes += chunk.length;
      budget.unpacked += chunk.length;
      if (bytes > maxBytes || isTooMuch(budget)) throw new AppError('content.zip_too_large');
      if (performance.now() > budget.until) throw new AppError('content.zip_unreadable');
      await new Promise<void>((resolve, reject) =>
        out.write(chunk, (error) => (error ? reject(failure ?? error) : resolve())),
      );
    },
    close: () => new Promise<void>((resolve, reject) => out.end(() => (failure ? reject(failure) : resolve()))),
    abort: () => void out.destroy(),
  });
  await entry.getData(sink);
}

/** Verifies that a file with a picture's name is a picture. */
async function requirePicture(file: string, name: string): Promise<void> {
  const bytes = await readFile(file);
  const mime = await imageType(bytes);
  const size = mime === undefined ? undefined : await pictureSize(bytes);
  const isReadable = size ? size.width * size.height <= MAX_PIXELS : mime === 'image/avif'; // the size of AVIF cannot be read
  if (!isReadable) throw refuseEntry('content.zip_bad_picture', name);
}

/** Plain text may also be a note or a licence that no lesson names. */
const isText = (path: string) => /\.txt$/i.test(path);

/** Verifies that the content of a recording or document has an accepted type. */
async function requireMedia(file: string, name: string): Promise<void> {
  const { size } = await stat(file);
  const read = async (range?: { start: number; end: number }) => createReadStream(file, range);
  if (!(await mediaType({ name, bytes: size, read }))) throw refuseEntry('content.zip_wrong_file', name);
}
