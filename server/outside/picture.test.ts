import { existsSync, globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { MAX_PICTURE_BYTES, openPictures, pictureSize, squarePictures } from './picture.ts';

const EDGES = [512, 128];

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

/** Creates a grey PNG with few bytes at any size. `parts` are chunks before the pixels. */
function greyPng(width: number, height: number, ...parts: Buffer[]): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    ...parts,
    chunk('IDAT', deflateSync(Buffer.alloc((width + 1) * height))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Creates a grey 64 × 64 JPEG with `scans` scans: one for brightness, the rest empty. */
function greyJpeg(scans: number): Buffer {
  const segment = (marker: number, data: number[]) => Buffer.from([0xff, marker, 0, data.length + 2, ...data]);
  const oneCode = (table: number, symbol: number) => segment(0xc4, [table, 1, ...Array<number>(15).fill(0), symbol]);
  const scan = (first: number, last: number, data: number[]) =>
    Buffer.concat([segment(0xda, [1, 1, 0, first, last, 0]), Buffer.from(data)]);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xdb, [0, ...Array<number>(64).fill(1)]),
    segment(0xc2, [8, 0, 64, 0, 64, 1, 1, 0x11, 0]),
    oneCode(0x00, 0x00), // no change of brightness
    oneCode(0x10, 0x60), // no detail in 64 blocks plus the number in six bits
    scan(0, 0, Array<number>(8).fill(0)),
    ...Array<Buffer>(scans - 1).fill(scan(1, 63, [0x01])),
    Buffer.from([0xff, 0xd9]),
  ]);
}

/** Repeats a part until the file reaches the size limit. */
const many = (part: Buffer) =>
  Buffer.concat(Array<Buffer>(Math.floor((MAX_PICTURE_BYTES - 4_096) / part.length)).fill(part));

function riffChunk(type: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, 'latin1');
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
}

/** Creates a one-pixel WebP with this many frames, or with these extra parts. */
async function greyWebp(frames: number, parts = Buffer.alloc(0)): Promise<Buffer> {
  const pixel = await sharp({ create: { width: 1, height: 1, channels: 3, background: '#777' } })
    .webp({ lossless: true })
    .toBuffer();
  const frame = riffChunk('ANMF', Buffer.concat([Buffer.alloc(16), pixel.subarray(12)]));
  const animated = Buffer.alloc(10);
  animated[0] = 2;
  const begin = [Buffer.from('WEBP'), riffChunk('VP8X', animated), riffChunk('ANIM', Buffer.alloc(6))];
  return riffChunk('RIFF', Buffer.concat([...begin, ...Array<Buffer>(frames).fill(frame), parts]));
}

/** Creates a GIF with one-pixel frames. */
function gif(frames: number): Buffer {
  const head = Buffer.from('GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff', 'latin1');
  const frame = Buffer.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x4c, 0x01, 0]);
  return Buffer.concat([head, ...Array<Buffer>(frames).fill(frame), Buffer.from([0x3b])]);
}

/** Four quarters of different colours. */
async function quarters(): Promise<Buffer> {
  const tile = (background: string) => ({ create: { width: 64, height: 64, channels: 3 as const, background } });
  return await sharp({ create: { width: 128, height: 128, channels: 3, background: '#000' } })
    .composite([
      { input: tile('#c02020'), left: 0, top: 0 },
      { input: tile('#20c020'), left: 64, top: 0 },
      { input: tile('#2020c0'), left: 0, top: 64 },
    ])
    .png()
    .toBuffer();
}

async function pixels(picture: Buffer | undefined): Promise<Buffer> {
  return await sharp(picture).removeAlpha().raw().toBuffer();
}

/** Mean difference between two pictures, from 0 to 255. */
async function distance(one: Buffer | undefined, other: Buffer | undefined): Promise<number> {
  const [a, b] = [await pixels(one), await pixels(other)];
  return a.reduce((sum, value, at) => sum + Math.abs(value - (b[at] ?? 0)), 0) / a.length;
}

describe('squarePictures', () => {
  it('returns centred WebP squares, upright and without metadata', async () => {
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

  it('accepts a picture of one pixel', async () => {
    expect(await squarePictures(greyPng(1, 1), EDGES)).toHaveLength(2);
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8])('turns a picture of orientation %i upright', async (orientation) => {
    const upright = await quarters();
    // A camera stores the rotated picture and the orientation that reverts the rotation.
    const turns: Record<number, number> = { 3: 180, 5: 90, 6: 270, 7: 270, 8: 90 };
    const rotated = await sharp(upright)
      .rotate(turns[orientation] ?? 0)
      .png()
      .toBuffer();
    const turned = await sharp(rotated)
      .flop([2, 5, 7].includes(orientation))
      .flip(orientation === 4)
      .png()
      .toBuffer();
    for (const format of ['jpeg', 'webp'] as const) {
      const photo = await sharp(turned).withMetadata({ orientation }).toFormat(format, { quality: 95 }).toBuffer();
      const pictures = await squarePictures(photo, [128]);
      expect(await distance(pictures?.[0], upright)).toBeLessThan(8);
    }
  });

  it('shows the first frame of an animation', async () => {
    const frame = async (background: string) =>
      await sharp({ create: { width: 128, height: 128, channels: 3, background } })
        .png()
        .toBuffer();
    const [red, blue, green] = [await frame('#c02020'), await frame('#2020c0'), await frame('#20c020')];
    for (const format of ['gif', 'webp'] as const) {
      const animation = await sharp([red, blue, green], { join: { animated: true } })
        .toFormat(format)
        .toBuffer();
      expect((await sharp(animation).metadata()).pages).toBe(3);
      const [picture] = (await squarePictures(animation, [128])) ?? [];
      expect((await sharp(picture).metadata()).pages).toBeUndefined();
      expect(await distance(picture, red)).toBeLessThan(8);
    }
  });

  it('applies the colour profile', async () => {
    const green = await sharp({ create: { width: 128, height: 128, channels: 3, background: '#40a060' } })
      .png()
      .toBuffer();
    const wide = await sharp(green).withIccProfile('p3').png().toBuffer();
    const [picture] = (await squarePictures(wide, [128])) ?? [];
    const asStored = await sharp(wide, { ignoreIcc: true }).png().toBuffer();
    expect(await distance(asStored, green)).toBeGreaterThan(5);
    expect(await distance(picture, green)).toBeLessThan(3);
    expect((await sharp(picture).metadata()).icc).toBeUndefined();
  });

  it('removes data hidden in a picture', async () => {
    const hidden = '<script>alert(1)</script>PK\u0003\u0004';
    const polyglot = Buffer.concat([
      await sharp(await quarters())
        .jpeg()
        .toBuffer(),
      Buffer.from(hidden),
    ]);
    for (const picture of (await squarePictures(polyglot, EDGES)) ?? []) {
      expect(picture.subarray(8, 12).toString()).toBe('WEBP');
      expect(picture.includes('script')).toBe(false);
    }
    expect(await squarePictures(Buffer.concat([Buffer.from(hidden), polyglot]), EDGES)).toBeUndefined();
  });

  it.each(['jpeg', 'webp', 'gif', 'png'] as const)('refuses a truncated %s', async (format) => {
    const noise = await sharp({
      create: {
        width: 200,
        height: 200,
        channels: 3,
        background: '#777',
        noise: { type: 'gaussian', mean: 128, sigma: 60 },
      },
    })
      .toFormat(format)
      .toBuffer();
    expect(await squarePictures(noise, EDGES)).toHaveLength(2);
    expect(await squarePictures(noise.subarray(0, noise.length / 2), EDGES)).toBeUndefined();
  });

  it('refuses a JPEG with too many scans', async () => {
    expect(await squarePictures(greyJpeg(200), EDGES)).toHaveLength(2);
    expect(await squarePictures(greyJpeg(201), EDGES)).toBeUndefined();
  });

  describe('of pictures with many parts', () => {
    const large = deflateSync(Buffer.alloc(50_000_000), { level: 9 });
    const text = (type: string, head: string) => chunk(type, Buffer.concat([Buffer.from(head, 'latin1'), large]));
    const inJpeg = async (marker: number, data: Buffer) => {
      const jpeg = greyJpeg(1);
      const segment = Buffer.concat([
        Buffer.from([0xff, marker, (data.length + 2) >> 8, (data.length + 2) & 255]),
        data,
      ]);
      return Buffer.concat([jpeg.subarray(0, 2), many(segment), jpeg.subarray(2)]);
    };
    const exif = Buffer.from('Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x01\0\0\0\0\0\0', 'latin1');

    it.each<[string, () => Buffer | Promise<Buffer>]>([
      [
        'a PNG with five gigabytes of zTXt chunks',
        () => greyPng(64, 64, ...Array<Buffer>(100).fill(text('zTXt', 'a\0\0'))),
      ],
      [
        'a PNG with five gigabytes of iTXt chunks',
        () => greyPng(64, 64, ...Array<Buffer>(100).fill(text('iTXt', 'a\0\x01\0\0\0'))),
      ],
      [
        'a PNG with five gigabytes of colour profiles',
        () => greyPng(64, 64, ...Array<Buffer>(100).fill(text('iCCP', 'a\0\0'))),
      ],
      ['a PNG with many text chunks', () => greyPng(64, 64, many(chunk('tEXt', Buffer.from('a\0b'))))],
      ['a PNG with many orientations', () => greyPng(64, 64, many(chunk('eXIf', exif.subarray(6))))],
      ['a PNG with many empty pixel chunks', () => greyPng(64, 64, many(chunk('IDAT', Buffer.alloc(0))))],
      ['a JPEG with many empty comments', () => inJpeg(0xfe, Buffer.alloc(0))],
      ['a JPEG with many orientations', () => inJpeg(0xe1, exif)],
      ['a JPEG with many colour profiles', () => inJpeg(0xe2, Buffer.from('ICC_PROFILE\0\x01\x01', 'latin1'))],
      ['a GIF with 300 000 frames', () => gif(300_000)],
      ['a WebP with 5 000 frames', () => greyWebp(5_000)],
      ['a WebP with many empty chunks', () => greyWebp(1, many(riffChunk('JUNK', Buffer.alloc(0))))],
    ])('reads %s', async (_, make) => {
      expect(await squarePictures(await make(), EDGES)).toHaveLength(2);
    });

    it('refuses a WebP with too many frames', async () => {
      expect(await squarePictures(await greyWebp(5_001), EDGES)).toBeUndefined();
      expect(await squarePictures(await greyWebp(80_000), EDGES)).toBeUndefined();
    });
  });

  it('refuses a decompression bomb by its header', async () => {
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
    ['an empty file', Buffer.alloc(0)],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
    ['a PDF', Buffer.from('%PDF-1.7\n%âãÏÓ\n')],
    ['text', Buffer.from('JPEG')],
    ['the beginning of a PNG', greyPng(64, 64).subarray(0, 40)],
    ['a HEIC photo', Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1')],
    ['an AVIF picture', Buffer.from('\0\0\0\x18ftypavif\0\0\0\0mif1avif', 'latin1')],
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

describe('pictureSize', () => {
  const blank = { create: { width: 30, height: 20, channels: 3 as const, background: '#fff' } };

  it.each(['jpeg', 'webp', 'gif', 'png'] as const)('reads the header of a %s', async (format) => {
    expect(await pictureSize(await sharp(blank).toFormat(format).toBuffer())).toEqual({ width: 30, height: 20 });
  });

  it('returns any size in the header, so that the caller can enforce a limit', async () => {
    const huge = greyPng(1, 1);
    huge.writeUInt32BE(100_000, 16);
    huge.writeUInt32BE(100_000, 20);
    huge.writeUInt32BE(crc32(huge.subarray(12, 29)), 29);
    expect(await pictureSize(huge)).toEqual({ width: 100_000, height: 100_000 });
  });

  it('returns undefined for truncated files and other formats', async () => {
    const avif = await sharp(blank).avif().toBuffer();
    for (const bytes of [Buffer.alloc(0), Buffer.alloc(64), greyPng(2, 2).subarray(0, 12), Buffer.from('<svg/>'), avif])
      expect(await pictureSize(bytes)).toBeUndefined();
  });
});

describe('the picture process', () => {
  const usual = { memoryMb: 600, cpuMs: 2_000, timeoutMs: 10_000, idleMs: 60_000 };

  // 500 kB that decode to 200 MB in half a second.
  const large = sharp({ create: { width: 5000, height: 5000, channels: 4, background: '#c0202080' } })
    .png({ progressive: true })
    .toBuffer();

  it('ends when a picture exceeds the memory limit, and a new process reads the next one', async () => {
    const small = openPictures({ ...usual, memoryMb: 130 });
    expect(await small.squarePictures(await large, EDGES)).toBeUndefined();
    expect(await small.squarePictures(greyPng(64, 64), EDGES)).toHaveLength(2);
    expect(await openPictures(usual).squarePictures(await large, EDGES)).toHaveLength(2);
  });

  it('ends when a picture exceeds the CPU time limit, and a new process reads the next one', async () => {
    const strict = openPictures({ ...usual, cpuMs: 200 });
    expect(await strict.squarePictures(await large, EDGES)).toBeUndefined();
    expect(await strict.squarePictures(greyPng(64, 64), EDGES)).toHaveLength(2);
  });

  it('ends when a picture exceeds the wall time limit', async () => {
    const hasty = openPictures({ ...usual, timeoutMs: 1 });
    expect(await hasty.squarePictures(greyPng(4000, 4000), EDGES)).toBeUndefined();
    await expect(hasty.textPicture(greyPng(4000, 4000), 128)).resolves.toBeUndefined();
  });

  it('ends when idle and starts again on demand', async () => {
    const shy = openPictures({ ...usual, idleMs: 1 });
    for (let times = 0; times < 3; times++) {
      expect(await shy.textPicture(greyPng(64, 32), 128)).toMatchObject({ width: 64, height: 32 });
      await new Promise((later) => setTimeout(later, 50));
    }
  });

  it('returns the right result to each of many concurrent callers', async () => {
    const edges = await Promise.all([16, 32, 48, 64, 80].map((edge) => squarePictures(greyPng(100, 100), [edge])));
    const widths = await Promise.all(edges.map(async (found) => (await sharp(found?.[0]).metadata()).width));
    expect(widths).toEqual([16, 32, 48, 64, 80]);
  });
});

// Pillow's test pictures, if available.
const CORPUS = fileURLToPath(new URL('../../../shared/data/images-pillow/', import.meta.url));

describe.skipIf(!existsSync(CORPUS))('pictures of the Pillow corpus', () => {
  const read = async (file: string) => await squarePictures(readFileSync(CORPUS + file), EDGES);
  const files = existsSync(CORPUS) ? globSync('valid*/*', { cwd: CORPUS }) : [];

  it.each(files)('reads %s', async (file) => {
    const pictures = await read(file);
    expect(pictures).toHaveLength(2);
    for (const picture of pictures ?? []) {
      const found = await sharp(picture).metadata();
      expect([found.format, found.exif, found.xmp, found.comments]).toEqual(['webp', undefined, undefined, undefined]);
    }
  });

  it('turns pictures upright', async () => {
    const hoppers = files.filter((file) => file.includes('hopper_orientation'));
    const [first, ...others] = await Promise.all(hoppers.map(async (file) => (await read(file))?.[1]));
    for (const other of others) expect(await distance(first, other)).toBeLessThan(10);
  });

  it('keeps the colours of a CMYK picture', async () => {
    const [cmyk, rgb] = [await read('valid/pil_sample_cmyk.jpg'), await read('valid/pil_sample_rgb.jpg')];
    expect(await distance(cmyk?.[1], rgb?.[1])).toBeLessThan(4);
  });
});
