import { createHash } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { Readable } from 'node:stream';
import { BlobReader, configure, ERR_UNSAFE_FILENAME, type FileEntry, ZipReader } from '@zip.js/zip.js';
import { isBomb, requireSafe, shown } from '#server/areas/importing/folder-zip.policy.ts';
import { AppError } from '#server/errors.ts';
import { VERSION } from '#server/version.ts';
import { CONTENT, RECORDS, storedFileOf } from './archive-name.policy.ts';
import { refuse } from './archive-refused.policy.ts';
import { type ArchiveFile, ARCHIVE_VERSION, compareVersions, Manifest, MANIFEST_FILE } from './manifest.format.ts';

configure({ useWebWorkers: false }); // workers are for browsers

const MAX_ENTRIES = 2_000_000;
const MAX_MANIFEST_BYTES = 256 * 1024 * 1024;
/** The longest record that is read; the product stores no text of a tenth of it. */
const MAX_LINE_BYTES = 32 * 1024 * 1024;
const MAX_PICTURE_BYTES = 16 * 1024 * 1024;

/** A ZIP on disk whose names, sizes and hashes were checked. Nothing of it is unpacked to disk. */
export class ArchiveReader {
  readonly manifest: Manifest;
  readonly #zip: ZipReader<Blob>;
  /** Entries that are read by name; there may be very many pictures, which are read in order. */
  readonly #named: ReadonlyMap<string, FileEntry>;
  readonly #listed: ReadonlyMap<string, ArchiveFile>;

  private constructor(zip: ZipReader<Blob>, manifest: Manifest, named: ReadonlyMap<string, FileEntry>) {
    this.#zip = zip;
    this.#named = named;
    this.manifest = manifest;
    this.#listed = new Map(manifest.files.map((file) => [file.path, file]));
  }

  /** Opens an archive and checks all of it, which reads it once. Throws `ArchiveRefused`. */
  static async open(file: string): Promise<ArchiveReader> {
    const zip = new ZipReader(new BlobReader(await openAsBlob(file)), {
      checkCrc32: true,
      checkOverlappingEntry: true,
    });
    try {
      const named = await listEntries(zip);
      const reader = new ArchiveReader(zip, await readManifest(named.get(MANIFEST_FILE)), named);
      await reader.#check();
      return reader;
    } catch (error) {
      await zip.close();
      throw asRefusal(error);
    }
  }

  /** Reads the lines of a file with their number, from 1. Yields nothing for a file that the archive does not have. */
  async *lines(path: string): AsyncGenerator<{ line: string; number: number }> {
    const entry = this.#named.get(path);
    if (!entry) return;
    const decoder = new TextDecoder('utf-8', { fatal: true });
    let number = 0;
    let rest = '';
    for await (const chunk of chunksOf(entry)) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      if (rest.length > MAX_LINE_BYTES) throw refuse(`${path}:${number + lines.length + 1} is too long`);
      for (const line of lines) yield { line, number: ++number };
    }
    if (rest !== '') yield { line: rest, number: ++number };
  }

  /** Reads the stored files, one at a time. */
  async *files(): AsyncGenerator<{ path: string; key: string; mime: string; content: Readable }> {
    for await (const entry of this.#zip.getEntriesGenerator()) {
      const stored = storedFileOf(entry.filename);
      if (!stored) continue;
      // A path of a file is no directory.
      yield { path: entry.filename, ...stored, content: Readable.from(chunksOf(entry as FileEntry)) };
    }
  }

  /** The number of stored files. */
  countFiles(): number {
    return this.manifest.files.filter(({ path }) => isStored(path)).length;
  }

  async close(): Promise<void> {
    await this.#zip.close();
  }

  /** Compares every entry with the manifest. */
  async #check(): Promise<void> {
    if (this.#listed.size < this.manifest.files.length) throw refuse(`${MANIFEST_FILE} names a file twice`);
    const waiting = new Set(this.#listed.keys());
    for await (const entry of this.#zip.getEntriesGenerator()) {
      const path = entry.filename;
      if (path === MANIFEST_FILE) continue;
      const listed = this.#listed.get(path);
      if (!listed) throw refuse(`${shown(path)} is not in ${MANIFEST_FILE}`);
      if (!waiting.delete(path)) throw refuse(`${shown(path)} is in the archive twice`);
      await checkEntry(entry as FileEntry, listed); // directories were refused
    }
    const [missing] = waiting;
    if (missing !== undefined) throw refuse(`${shown(missing)} is missing`);
  }
}

/** Lists the entries that are not pictures, and checks the names and sizes of all. */
async function listEntries(zip: ZipReader<Blob>): Promise<Map<string, FileEntry>> {
  const named = new Map<string, FileEntry>();
  const claimed = { packed: 0, unpacked: 0 };
  let count = 0;
  for await (const entry of zip.getEntriesGenerator()) {
    const path = entry.filename;
    if (++count > MAX_ENTRIES) throw refuse('The archive has too many files');
    requireSafe({
      name: path,
      isDirectory: entry.directory,
      isEncrypted: entry.encrypted,
      isSymlink: entry.symlink,
      unixMode: entry.unixMode ?? entry.externalFileAttributes >>> 16,
      compressedBytes: entry.compressedSize,
      bytes: entry.uncompressedSize,
    });
    claimed.packed += entry.compressedSize;
    claimed.unpacked += entry.uncompressedSize;
    if (isBomb(claimed)) throw refuse('The archive unpacks to far more than its size');
    const isKnown =
      path === MANIFEST_FILE || path.startsWith(CONTENT) || /^records\/[a-z-]+\.ndjson$/.test(path) || isStored(path);
    if (entry.directory || !isKnown) throw refuse(`${shown(path)} belongs to no archive of this kind`);
    if (isPicture(path) && entry.uncompressedSize > MAX_PICTURE_BYTES) throw refuse(`${path} is too large`);
    if (path === MANIFEST_FILE || path.startsWith(RECORDS)) named.set(path, entry as FileEntry); // not a directory
  }
  return named;
}

const isPicture = (path: string) => storedFileOf(path)?.mime.startsWith('image/') === true;
const isStored = (path: string) => storedFileOf(path) !== undefined;

async function readManifest(entry: FileEntry | undefined): Promise<Manifest> {
  if (!entry) throw refuse(`${MANIFEST_FILE} is missing: this is no archive of \`npm run export:all\``);
  if (entry.uncompressedSize > MAX_MANIFEST_BYTES) throw refuse(`${MANIFEST_FILE} is too large`);
  const chunks: Uint8Array[] = [];
  for await (const chunk of chunksOf(entry)) chunks.push(chunk);
  let source: unknown;
  try {
    source = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch (error) {
    throw refuse(`${MANIFEST_FILE} is not JSON`, error);
  }
  const version = typeof source === 'object' && source !== null && 'version' in source ? source.version : undefined;
  if (version !== ARCHIVE_VERSION)
    throw refuse(`${MANIFEST_FILE} version: this product reads version ${ARCHIVE_VERSION}, not ${String(version)}`);
  const parsed = Manifest.safeParse(source);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw refuse(`${MANIFEST_FILE} ${issue?.path.join('.')}: ${issue?.message}`);
  }
  if (compareVersions(parsed.data.product, VERSION) > 0)
    throw refuse(
      `${MANIFEST_FILE} product: ${parsed.data.product} wrote this archive; upgrade this product (${VERSION}) first`,
    );
  return parsed.data;
}

async function checkEntry(entry: FileEntry, listed: ArchiveFile): Promise<void> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of chunksOf(entry)) {
    bytes += chunk.length;
    if (bytes > listed.bytes) break;
    hash.update(chunk);
  }
  if (bytes !== listed.bytes) throw refuse(`${listed.path} has another size than ${MANIFEST_FILE} says`);
  if (hash.digest('hex') !== listed.sha256)
    throw refuse(`${listed.path} has another SHA-256 than ${MANIFEST_FILE} says`);
}

/** The content of an entry. Ends the entry when the reader stops early. */
async function* chunksOf(entry: FileEntry): AsyncGenerator<Uint8Array> {
  const stop = new AbortController();
  const pipe = new TransformStream<Uint8Array, Uint8Array>();
  const done = entry.getData(pipe.writable, { signal: stop.signal });
  done.catch(() => {}); // thrown below, or by the reader
  let isComplete = false;
  try {
    const reader = pipe.readable.getReader();
    for (;;) {
      const next = await reader.read();
      if (next.done) break;
      yield next.value;
    }
    await done;
    isComplete = true;
  } finally {
    if (!isComplete) stop.abort();
  }
}

/** Errors of the ZIP library become a refusal; those of the disk stay. */
function asRefusal(error: unknown): unknown {
  if (error instanceof AppError) {
    const file = error.details.body?.['file'];
    return refuse(typeof file === 'string' ? `${file}: ${error.message}` : error.message, error);
  }
  if (!(error instanceof Error) || 'syscall' in error || 'faults' in error) return error;
  if (error.message === ERR_UNSAFE_FILENAME && 'filename' in error)
    return refuse(`${shown(String(error.filename))} is no safe name for a file`, error);
  return refuse(`The file is not a readable ZIP (${error.message})`, error);
}
