import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { MEDIA_FILES, REFUSED_FILES } from '#server/test/factories/media.ts';
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
});
