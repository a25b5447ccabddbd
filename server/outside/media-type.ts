import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { fileTypeFromStream } from 'file-type';
import { configure, Reader, type FileEntry, TextWriter, ZipReader } from '@zip.js/zip.js';
import type { ByteRange } from './files.ts';
import { extensionOf, mediaOfExtension, mediaOfMime, type MediaType } from './media-type.data.ts';

configure({ useWebWorkers: false }); // workers are for browsers

/** A file to examine. It is read in parts, because a recording does not fit into memory. */
export type MediaSource = { name: string; bytes: number; read(range?: ByteRange): Promise<Readable> };

/** Texts are read whole when they are shown. */
const MAX_TEXT_BYTES = 10 * 1024 * 1024;
const MAX_CAPTION_BYTES = 1024 * 1024;
const HEAD_BYTES = 1024;
const PLAIN_TEXTS: ReadonlySet<string> = new Set(['csv', 'txt']);

/**
 * Detects the type of a file by its content. Undefined for every type that texts may not contain: pages, drawings,
 * programs, and office documents with macros. The name only tells CSV from other plain text.
 */
export async function mediaType(source: MediaSource): Promise<MediaType | undefined> {
  if (source.bytes === 0) return undefined;
  const mime = await mimeOf(source);
  if (mime === undefined || mime === 'text/vtt') return await textType(source);
  if (mime === 'application/zip' || mime.startsWith('application/vnd.')) return await documentType(source);
  return mediaOfMime(mime);
}

async function mimeOf(source: MediaSource): Promise<string | undefined> {
  const content = await source.read();
  content.on('error', () => {}); // the detection reports it
  try {
    const type = await fileTypeFromStream(Readable.toWeb(content));
    return type?.mime.replace(/;.*$/, '');
  } finally {
    content.destroy();
  }
}

/** What a browser could take for a page, a drawing or a program of another kind. */
const MARKUP = /^\s*(?:<!--[\s\S]*?-->\s*)*<(?:!doctype|\?xml|html|head|body|script|svg|iframe|style|[a-z]+[\s>])/i;

async function textType(source: MediaSource): Promise<MediaType | undefined> {
  if (source.bytes > MAX_TEXT_BYTES) return undefined;
  const head = await readText(source, { start: 0, end: Math.min(HEAD_BYTES, source.bytes) - 1 });
  if (MARKUP.test(head)) return undefined;
  if (/^\ufeff?WEBVTT(?:[ \t\r\n]|$)/.test(head))
    return source.bytes <= MAX_CAPTION_BYTES && (await isUtf8(source)) ? mediaOfExtension('vtt') : undefined;
  const extension = extensionOf(source.name);
  return PLAIN_TEXTS.has(extension) && (await isUtf8(source)) ? mediaOfExtension(extension) : undefined;
}

async function readText(source: MediaSource, range: ByteRange): Promise<string> {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(await buffer(await source.read(range)));
}

/** Whether the whole file is UTF-8 text without control characters. */
async function isUtf8(source: MediaSource): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const part of await source.read())
      // oxlint-disable-next-line no-control-regex
      if (/[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/.test(decoder.decode(part as Buffer, { stream: true })))
        return false; // files give bytes
    decoder.decode();
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

const MAX_ENTRIES = 10_000;
const MAX_LIST_BYTES = 1024 * 1024;
/** Programs inside a document. */
const MACROS = /(?:^|\/)(?:vbaProject\w*\.bin|vbaData\.xml)$|^(?:Basic|Scripts)\/|(?:^|\/)(?:activeX|macrosheets)\//i;
const MAIN_PARTS: Readonly<Record<string, string>> = {
  'word/document.xml': 'docx',
  'xl/workbook.xml': 'xlsx',
  'ppt/presentation.xml': 'pptx',
};

/** The type of an office document without macros. */
async function documentType(source: MediaSource): Promise<MediaType | undefined> {
  const zip = new ZipReader(new PartReader(source));
  try {
    const entries = new Map<string, FileEntry>();
    for await (const entry of zip.getEntriesGenerator()) {
      if (entries.size >= MAX_ENTRIES || entry.encrypted || MACROS.test(entry.filename)) return undefined;
      if (!entry.directory) entries.set(entry.filename, entry as FileEntry); // directories have no content
    }
    const list = entries.get('[Content_Types].xml');
    if (list) {
      if (list.uncompressedSize > MAX_LIST_BYTES || /macroEnabled/i.test(await list.getData(new TextWriter())))
        return undefined;
      const main = Object.keys(MAIN_PARTS).find((name) => entries.has(name));
      return main === undefined ? undefined : mediaOfExtension(MAIN_PARTS[main] ?? '');
    }
    const mime = entries.get('mimetype');
    if (!mime || mime.uncompressedSize > HEAD_BYTES) return undefined;
    return mediaOfMime((await mime.getData(new TextWriter())).trim());
  } catch (error) {
    if (error instanceof Error && !('syscall' in error) && !('code' in error && error.code === 'server.unavailable'))
      return undefined; // a damaged archive
    throw error;
  } finally {
    await zip.close();
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
    const end = Math.min(index + length, this.#source.bytes) - 1;
    if (length === 0 || end < index) return new Uint8Array();
    return await buffer(await this.#source.read({ start: index, end }));
  }
}
