import { fileTypeFromBuffer } from 'file-type';
import sharp from 'sharp';
import { takeTurns } from './turns.ts';

export const MAX_PICTURE_BYTES = 5 * 1024 * 1024;
const MAX_PIXELS = 25_000_000;
const MIMES = new Set(['image/jpeg', 'image/png', 'image/apng', 'image/webp', 'image/gif']);

// Whatever a file says it is: no other decoder runs, in this process.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp', 'VipsForeignLoadNsgif'],
});
sharp.cache(false);
sharp.concurrency(1);

const START_OF_SCAN = Buffer.from([0xff, 0xda]);
/** A JPEG that is drawn step by step has some ten scans. Each of many thousands of empty ones costs as much as a full one. */
const MAX_SCANS = 200;

function hasTooManyScans(jpeg: Buffer): boolean {
  let scans = 0;
  for (let at = jpeg.indexOf(START_OF_SCAN); at !== -1 && scans <= MAX_SCANS; at = jpeg.indexOf(START_OF_SCAN, at + 2))
    scans += 1;
  return scans > MAX_SCANS;
}

/** One at a time: a picture of 25 megapixels takes up to 250 MB while it is decoded. */
const inTurn = takeTurns({ running: 1, waiting: 50 });

/**
 * A picture as squares of these edges, around its middle: upright, sRGB, WebP, without metadata. Undefined when the
 * bytes are no JPEG, PNG, WebP or GIF that can be read whole, or more than 25 megapixels.
 */
export async function squarePictures(bytes: Buffer, edges: readonly number[]): Promise<Buffer[] | undefined> {
  const type = await fileTypeFromBuffer(bytes).catch(() => undefined); // too short to tell
  if (!type || !MIMES.has(type.mime)) return undefined;
  if (type.mime === 'image/jpeg' && hasTooManyScans(bytes)) return undefined;
  return await inTurn(async () => {
    try {
      const largest = Math.max(...edges);
      // Decoded once; the smaller ones are made of the largest.
      const { data, info } = await sharp(bytes, {
        limitInputPixels: MAX_PIXELS,
        failOn: 'error',
        pages: 1,
        autoOrient: true,
      })
        .timeout({ seconds: 5 })
        .resize(largest, largest, { fit: 'cover' })
        .toColourspace('srgb')
        .raw({ depth: 'uchar' })
        .toBuffer({ resolveWithObject: true });
      const { width, height, channels } = info;
      return await Promise.all(
        edges.map(
          async (edge) =>
            await sharp(data, { raw: { width, height, channels } }).resize(edge, edge).webp({ quality: 82 }).toBuffer(),
        ),
      );
    } catch {
      return undefined;
    }
  });
}
