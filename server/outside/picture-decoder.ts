import { fileTypeFromBuffer } from 'file-type';
import sharp from 'sharp';

// Only picture-process.ts imports this, in a process of its own: decoders are where hostile pictures do their work.

const MAX_PIXELS = 25_000_000;
const MIMES = new Set(['image/jpeg', 'image/png', 'image/apng', 'image/webp', 'image/gif']);

// Whatever a file says it is: no other decoder runs.
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

async function isPicture(bytes: Buffer): Promise<boolean> {
  const type = await fileTypeFromBuffer(bytes).catch(() => undefined); // too short to tell
  return type !== undefined && MIMES.has(type.mime) && !(type.mime === 'image/jpeg' && hasTooManyScans(bytes));
}

const READING = { limitInputPixels: MAX_PIXELS, failOn: 'error', pages: 1, autoOrient: true } as const;

export type TextPicture = { data: Buffer; width: number; height: number };

/** A whole picture as it is shown in a text: upright, no wider or higher than `edge`, sRGB, WebP, without metadata. */
export async function textPicture(bytes: Buffer, edge: number): Promise<TextPicture | undefined> {
  if (!(await isPicture(bytes))) return undefined;
  try {
    const { data, info } = await sharp(bytes, READING)
      .timeout({ seconds: 5 })
      .resize(edge, edge, { fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .webp({ quality: 84 })
      .toBuffer({ resolveWithObject: true });
    return { data, width: info.width, height: info.height };
  } catch {
    return undefined;
  }
}

/**
 * A picture as squares of these edges, around its middle: upright, sRGB, WebP, without metadata. Undefined when the
 * bytes are no JPEG, PNG, WebP or GIF that can be read whole, or more than 25 megapixels.
 */
export async function squarePictures(bytes: Buffer, edges: readonly number[]): Promise<Buffer[] | undefined> {
  if (!(await isPicture(bytes))) return undefined;
  try {
    const largest = Math.max(...edges);
    // Decoded once; the smaller ones are made of the largest.
    const { data, info } = await sharp(bytes, READING)
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
}
