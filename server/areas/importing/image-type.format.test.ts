import sharp from 'sharp';
import { expect, it } from 'vitest';
import { imageType } from './image-type.format.ts';

const blank = { create: { width: 3, height: 2, channels: 3 as const, background: '#fff' } };

it.each(['png', 'jpeg', 'gif', 'webp', 'avif'] as const)('detects a %s by its bytes', async (format) => {
  expect(await imageType(await sharp(blank).toFormat(format).toBuffer())).toBe(`image/${format}`);
});

it('returns undefined for other formats and truncated files', async () => {
  const png = await sharp(blank).png().toBuffer();
  const tiff = await sharp(blank).tiff().toBuffer();
  for (const bytes of [
    tiff,
    png.subarray(0, 4),
    Buffer.alloc(0),
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
  ])
    expect(await imageType(bytes)).toBeUndefined();
});
