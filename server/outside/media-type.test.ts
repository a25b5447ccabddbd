import { Readable } from 'node:stream';
import { TextReader, Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js';
import { describe, expect, it } from 'vitest';
import { MEDIA_FILES, OWN_TEMPLATE, REFUSED_FILES } from '#server/test/factories/media.ts';
import { mediaType } from './media-type.ts';
import { extensionOf } from './media-type.data.ts';

const typeOf = async (name: string, content: Buffer) =>
  await mediaType({
    name,
    bytes: content.length,
    read: async (range) => Readable.from([range ? content.subarray(range.start, range.end + 1) : content]),
  });

describe('mediaType', () => {
  it.each(Object.entries(MEDIA_FILES))('recognises %s by its content', async (name, content) => {
    expect((await typeOf(name, content))?.extension).toBe(extensionOf(name));
    const isPlainText = /\.(?:csv|txt)$/.test(name);
    expect((await typeOf('another.html', content))?.extension).toBe(isPlainText ? undefined : extensionOf(name));
  });

  it.each(Object.entries(REFUSED_FILES))('refuses %s', async (_, { name, content }) => {
    expect(await typeOf(name, content)).toBeUndefined();
  });

  it('throws when the file cannot be read', async () => {
    const read = async () => {
      throw Object.assign(new Error('away'), { code: 'server.unavailable' });
    };
    await expect(mediaType({ name: 'a.pdf', bytes: 10, read })).rejects.toThrow('away');
  });

  it('takes a document made from a template of its author', async () => {
    expect((await typeOf('a.docx', OWN_TEMPLATE))?.extension).toBe('docx');
  });

  const MiB = 1024 * 1024;
  it.each(['<!---->', '<!--', ' ', '\n', '<', '<a', '<a ', '&', '"', 'a\n', '\ufeff'])(
    'needs little time for a text of %j again and again',
    async (opening) => {
      for (const begin of ['', 'WEBVTT\n\n', '%PDF-1.7\n', 'ID3', 'PK\x03\x04']) {
        for (const bytes of [1024, MiB - 100]) {
          const content = Buffer.from(begin + opening.repeat(bytes / Buffer.byteLength(opening)) + 'x');
          const start = performance.now();
          await typeOf('a.txt', content);
          expect([begin, bytes, performance.now() - start < 1000]).toEqual([begin, bytes, true]);
        }
      }
    },
  );

  it.each(['ZIP', 'ZIP64'])('reads no list of entries of gigabytes from a %s', async (format) => {
    const bytes = 100 * MiB;
    const end = format === 'ZIP' ? zipEnd(bytes) : zip64End(bytes);
    const head = Buffer.from('PK\x03\x04', 'latin1');
    let largest = 0;
    const read = async ({ start, end: last } = { start: 0, end: bytes + end.length - 1 }) => {
      largest = Math.max(largest, last - start + 1);
      const whole = Buffer.alloc(last - start + 1);
      head.copy(whole, 0, Math.min(start, 4));
      if (last >= bytes) end.copy(whole, Math.max(0, bytes - start), Math.max(0, start - bytes), last - bytes + 1);
      return Readable.from([whole]);
    };
    const before = process.memoryUsage.rss();
    expect(await mediaType({ name: 'a.docx', bytes: bytes + end.length, read })).toBeUndefined();
    expect(largest).toBeLessThanOrEqual(4 * MiB);
    expect(process.memoryUsage.rss() - before).toBeLessThan(64 * MiB);
  });

  it('unpacks no more of a part than it needs, whatever size is declared', async () => {
    const content = await zipBomb();
    const before = process.memoryUsage.rss();
    expect(await typeOf('a.docx', content)).toBeUndefined();
    expect(process.memoryUsage.rss() - before).toBeLessThan(64 * MiB);
  });
});

/** The end of an archive whose list of entries is all of its first `bytes` bytes. */
function zipEnd(bytes: number): Buffer {
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(bytes, 12);
  return end;
}

function zip64End(bytes: number): Buffer {
  const record = Buffer.alloc(56);
  record.write('PK\x06\x06', 'latin1');
  record.writeBigUInt64LE(44n, 4);
  record.writeBigUInt64LE(1n, 24);
  record.writeBigUInt64LE(1n, 32);
  record.writeBigUInt64LE(BigInt(bytes), 40);
  const locator = Buffer.alloc(20);
  locator.write('PK\x06\x07', 'latin1');
  locator.writeBigUInt64LE(BigInt(bytes), 8);
  locator.writeUInt32LE(1, 16);
  const end = zipEnd(0xffffffff);
  end.writeUInt16LE(0xffff, 8);
  end.writeUInt16LE(0xffff, 10);
  end.writeUInt32LE(0xffffffff, 16);
  return Buffer.concat([record, locator, end]);
}

/** A document whose list of types declares 100 bytes and unpacks to 200 MB. */
async function zipBomb(): Promise<Buffer> {
  const zip = new ZipWriter(new Uint8ArrayWriter());
  const zeros = new ReadableStream<Uint8Array>({
    start: () => {},
    pull(stream) {
      stream.enqueue(new Uint8Array(1024 * 1024));
      if (++sent === 200) stream.close();
    },
  });
  let sent = 0;
  await zip.add('[Content_Types].xml', zeros, { level: 6 });
  await zip.add('word/document.xml', new TextReader('<a/>'));
  const content = Buffer.from(await zip.close());
  const list = content.indexOf('PK\x01\x02', 0, 'latin1');
  content.writeUInt32LE(100, list + 24);
  return content;
}
