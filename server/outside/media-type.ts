import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { fileTypeFromStream } from 'file-type';
import { extensionOf, mediaOfExtension, mediaOfMime, type MediaType } from './media-type.data.ts';
import type { ByteRange } from './files.ts';
import type { MediaSource } from './media-source.ts';
import { documentType } from './office-document.ts';

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
  if (await isZip(source)) return await documentType(source);
  const mime = await mimeOf(source);
  if (mime === undefined || mime === 'text/vtt') return await textType(source);
  // A document's type counts only after a look into its archive, also behind a tag of a recording.
  if (mime.startsWith('application/') && mime !== 'application/pdf') return undefined;
  return mediaOfMime(mime);
}

async function isZip(source: MediaSource): Promise<boolean> {
  const head = await buffer(await source.read({ start: 0, end: Math.min(4, source.bytes) - 1 }));
  return head.toString('latin1') === 'PK\x03\x04';
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

async function textType(source: MediaSource): Promise<MediaType | undefined> {
  if (source.bytes > MAX_TEXT_BYTES) return undefined;
  const head = await readText(source, { start: 0, end: Math.min(HEAD_BYTES, source.bytes) - 1 });
  if (/^\ufeff?WEBVTT(?:[ \t\r\n]|$)/.test(head))
    return source.bytes <= MAX_CAPTION_BYTES && (await isPlainText(source)) ? mediaOfExtension('vtt') : undefined;
  const extension = extensionOf(source.name);
  return PLAIN_TEXTS.has(extension) && (await isPlainText(source)) ? mediaOfExtension(extension) : undefined;
}

async function readText(source: MediaSource, range: ByteRange): Promise<string> {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(await buffer(await source.read(range)));
}

/**
 * Whether the whole file is UTF-8 text without control characters. Its first visible character is no `<`, because a
 * browser could take it for a page, a drawing or a program of another kind.
 */
async function isPlainText(source: MediaSource): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let first = '';
  try {
    for await (const part of await source.read()) {
      const text = decoder.decode(part as Buffer, { stream: true }); // files give bytes
      // oxlint-disable-next-line no-control-regex
      if (/[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/.test(text)) return false;
      first ||= text.trimStart().slice(0, 1);
      if (first === '<') return false;
    }
    decoder.decode();
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}
