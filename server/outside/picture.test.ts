import { existsSync, globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { squarePictures } from './picture.ts';

const EDGES = [512, 128];

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

/** A grey PNG, small whatever its size. */
function greyPng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc((width + 1) * height))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

async function pixels(picture: Buffer | undefined): Promise<Buffer> {
  return await sharp(picture).removeAlpha().raw().toBuffer();
}

/** How far apart two pictures are, in steps of 256. */
async function distance(one: Buffer | undefined, other: Buffer | undefined): Promise<number> {
  const [a, b] = [await pixels(one), await pixels(other)];
  return a.reduce((sum, value, at) => sum + Math.abs(value - (b[at] ?? 0)), 0) / a.length;
}

describe('squarePictures', () => {
  it('answers WebP squares around the middle, upright and without metadata', async () => {
    const photo = await sharp({ create: { width: 900, height: 300, channels: 3, background: '#c02020' } })
      .jpeg()
      .withExif({ IFD0: { Copyright: 'somebody', ImageDescription: 'a secret' } })
      .toBuffer();
    const [full, thumbnail] = (await squarePictures(photo, EDGES)) ?? [];
    for (const [picture, edge] of [
      [full, 512],
      [thumbnail, 128],
    ] as const) {
      const found = await sharp(picture).metadata();
      expect(found).toMatchObject({ format: 'webp', width: edge, height: edge, space: 'srgb' });
      expect([found.exif, found.xmp, found.icc]).toEqual([undefined, undefined, undefined]);
    }
  });

  it('takes the smallest picture there is', async () => {
    expect(await squarePictures(greyPng(1, 1), EDGES)).toHaveLength(2);
  });

  it('refuses a bomb at its header', async () => {
    const bomb = greyPng(14_000, 14_000);
    const rss = process.memoryUsage().rss;
    const began = performance.now();
    expect(await squarePictures(bomb, EDGES)).toBeUndefined();
    expect(performance.now() - began).toBeLessThan(2000);
    expect(process.memoryUsage().rss - rss).toBeLessThan(150_000_000);
    expect(await squarePictures(greyPng(5000, 5001), EDGES)).toBeUndefined();
    expect(await squarePictures(greyPng(5000, 5000), EDGES)).toHaveLength(2);
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['a drawing', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
    ['a PDF', Buffer.from('%PDF-1.7\n%âãÏÓ\n')],
    ['text', Buffer.from('JPEG')],
    ['the beginning of a PNG', greyPng(64, 64).subarray(0, 40)],
    ['a bitmap', Buffer.from('424d3a0000000000000036000000280000000100000001000000010018', 'hex')],
  ])('refuses %s', async (_, bytes) => {
    expect(await squarePictures(bytes, EDGES)).toBeUndefined();
  });

  it('refuses a TIFF', async () => {
    const tiff = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#fff' } })
      .tiff()
      .toBuffer();
    expect(await squarePictures(tiff, EDGES)).toBeUndefined();
  });
});

// Pillow's test pictures, where they are at hand.
const CORPUS = fileURLToPath(new URL('../../../shared/data/images-pillow/', import.meta.url));

describe.skipIf(!existsSync(CORPUS))('pictures of all kinds', () => {
  const read = async (file: string) => await squarePictures(readFileSync(CORPUS + file), EDGES);
  const files = existsSync(CORPUS) ? globSync('valid*/*', { cwd: CORPUS }) : [];

  it.each(files)('%s', async (file) => {
    const pictures = await read(file);
    expect(pictures).toHaveLength(2);
    for (const picture of pictures ?? []) {
      const found = await sharp(picture).metadata();
      expect([found.format, found.exif, found.xmp, found.comments]).toEqual(['webp', undefined, undefined, undefined]);
    }
  });

  it('are turned upright', async () => {
    const hoppers = files.filter((file) => file.includes('hopper_orientation'));
    const [first, ...others] = await Promise.all(hoppers.map(async (file) => (await read(file))?.[1]));
    for (const other of others) expect(await distance(first, other)).toBeLessThan(10);
  });

  it('keep their colours', async () => {
    const [cmyk, rgb] = [await read('valid/pil_sample_cmyk.jpg'), await read('valid/pil_sample_rgb.jpg')];
    expect(await distance(cmyk?.[1], rgb?.[1])).toBeLessThan(4);
  });
});
