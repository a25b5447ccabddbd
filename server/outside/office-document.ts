import { buffer } from 'node:stream/consumers';
import { configure, type FileEntry, Reader, ZipReader } from '@zip.js/zip.js';
import { declaresUnsafeType, linksUnsafely, MAIN_PARTS, mayHoldProgram, partName } from './office-document.policy.ts';
import { mediaOfExtension, mediaOfMime, type MediaType } from './media-type.data.ts';
import type { MediaSource } from './media-source.ts';

configure({ useWebWorkers: false }); // workers are for browsers

const MAX_ENTRIES = 10_000;
/** The library reads the list of entries at once. Ten thousand entries with long names fit. */
const MAX_RANGE_BYTES = 4 * 1024 * 1024;
const MAX_LIST_BYTES = 1024 * 1024;
const MAX_MIMETYPE_BYTES = 256;
/** All lists of links of a document together, unpacked. */
const MAX_LINKS_BYTES = 8 * 1024 * 1024;

type Entries = Map<string, FileEntry>;

/** The type of an office document in a ZIP; undefined for other archives, and for documents with programs. */
export async function documentType(source: MediaSource): Promise<MediaType | undefined> {
  const zip = new ZipReader(new PartReader(source));
  try {
    const entries = await entriesOf(zip);
    if (!entries) return undefined;
    const list = entries.get('[content_types].xml');
    return list ? await openXmlType(list, entries) : await openDocumentType(entries);
  } catch (error) {
    if (error instanceof Error && !('syscall' in error) && !('code' in error && error.code === 'server.unavailable'))
      return undefined; // a damaged archive
    throw error;
  } finally {
    await zip.close();
  }
}

/** The files by name; undefined if a program may be among them, or one name could mean two files. */
async function entriesOf(zip: ZipReader<MediaSource>): Promise<Entries | undefined> {
  const entries: Entries = new Map();
  for await (const entry of zip.getEntriesGenerator()) {
    const name = partName(entry.filename);
    if (entries.size >= MAX_ENTRIES || entry.encrypted || name === undefined || mayHoldProgram(name)) return undefined;
    if (entry.directory) continue;
    if (entries.has(name)) return undefined;
    entries.set(name, entry as FileEntry); // directories have no content
  }
  return entries;
}

async function openXmlType(list: FileEntry, entries: Entries): Promise<MediaType | undefined> {
  const types = await readXml(list, MAX_LIST_BYTES);
  const main = MAIN_PARTS.find(({ part }) => entries.has(part));
  if (!main || types === undefined || declaresUnsafeType(types, main)) return undefined;
  let left = MAX_LINKS_BYTES;
  for (const [name, entry] of entries) {
    if (!name.endsWith('.rels')) continue;
    const links = await readXml(entry, Math.min(left, MAX_LIST_BYTES));
    if (links === undefined || linksUnsafely(links)) return undefined;
    left -= links.length;
  }
  return mediaOfExtension(main.extension);
}

async function openDocumentType(entries: Entries): Promise<MediaType | undefined> {
  const entry = entries.get('mimetype');
  const mime = entry && (await readXml(entry, MAX_MIMETYPE_BYTES))?.trim();
  return mime?.startsWith('application/vnd.oasis.opendocument.') ? mediaOfMime(mime) : undefined;
}

/** The text of a part; undefined if it is not UTF-8. Throws beyond `max` bytes, whatever size the archive declares. */
async function readXml(entry: FileEntry, max: number): Promise<string | undefined> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  const bounded = new WritableStream<Uint8Array>({
    write(part) {
      bytes += part.length;
      if (bytes > max) throw new Error('A part of the document is too large');
      parts.push(part);
    },
  });
  await entry.getData(bounded);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts));
    return text.includes('\0') ? undefined : text; // UTF-16
  } catch {
    return undefined;
  }
}

/** Lets the ZIP library read parts of a file, wherever it is stored. */
class PartReader extends Reader<MediaSource> {
  readonly #source: MediaSource;

  constructor(source: MediaSource) {
    super(source);
    this.#source = source;
    this.size = source.bytes;
  }

  override async init(): Promise<void> {
    await super.init?.();
    this.size = this.#source.bytes;
  }

  override async readUint8Array(index: number, length: number): Promise<Uint8Array> {
    // The archive says how long its list of entries is, and may say gigabytes.
    if (length > MAX_RANGE_BYTES) throw new Error('A part of the archive is too large');
    const end = Math.min(index + length, this.#source.bytes) - 1;
    if (length === 0 || end < index) return new Uint8Array();
    return await buffer(await this.#source.read({ start: index, end }));
  }
}
