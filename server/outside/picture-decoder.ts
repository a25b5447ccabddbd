import { fileTypeFromBuffer } from 'file-type';
import sharp from 'sharp';
import { hasTooManyFrames, hasTooManyScans, onlyDrawn } from './picture-parts.ts';

// Only picture-process.ts imports this, in a process of its own: decoders are where hostile pictures do their work.

const MAX_PIXELS = 25_000_000;

// Whatever a file says it is: no other decoder runs.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp', 'VipsForeignLoadNsgif'],
});
sharp.cache(false);
sharp.concurrency(1);

/** The bytes that are passed to the decoder; undefined when the file is no picture, or has too many parts. */
async function decodable(bytes: Buffer): Promise<Buffer | undefined> {
  const type = await fileTypeFromBuffer(bytes).catch(() => undefined); // too short to tell
  switch (type?.mime) {
    case 'image/jpeg':
      return hasTooManyScans(bytes) ? undefined : bytes;
    case 'image/png':
    case 'image/apng':
      return onlyDrawn(bytes);
    case 'image/webp':
      return hasTooManyFrames(bytes) ? undefined : bytes;
    case 'image/gif':
      return bytes;
    default:
      return undefined;
  }
}

const READING = { limitInputPixels: MAX_PIXELS, failOn: 'error', pages: 1, autoOrient: true } as const;

export type TextPicture = { data: Buffer; width: number; height: number };

export type PictureSize = { width: number; height: number };

/** The size in pixels of a JPEG, PNG, WebP or GIF, as its header says; undefined when that cannot be read. */
export async function pictureSize(bytes: Buffer): Promise<PictureSize | undefined> {
  const file = await decodable(bytes);
  if (!file) return undefined;
  try {
    const { width, height } = await sharp(file, { limitInputPixels: false }).metadata();
    return { width, height };
  } catch {
    return undefined;
  }
}

/** A whole picture as it is shown in a text: upright, no wider or higher than `edge`, sRGB, WebP, without metadata. */
export async function textPicture(bytes: Buffer, edge: number): Promise<TextPicture | undefined> {
  const file = await decodable(bytes);
  if (!file) return undefined;
  try {
    const { data, info } = await sharp(file, READING)
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
  const file = await decodable(bytes);
  if (!file) return undefined;
  try {
    const largest = Math.max(...edges);
    // Decoded once; the smaller ones are made of the largest.
    const { data, info } = await sharp(file, READING)
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
