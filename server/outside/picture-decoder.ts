import { fileTypeFromBuffer } from 'file-type';
import sharp from 'sharp';
import { hasTooManyFrames, hasTooManyScans, withoutUnusedChunks } from './picture-parts.ts';

// Import this only in picture-process.ts: hostile pictures attack decoders, so decoding runs in a separate process.

const MAX_PIXELS = 25_000_000;

// Enable only these decoders, whatever type a file claims.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp', 'VipsForeignLoadNsgif'],
});
sharp.cache(false);
sharp.concurrency(1);

/** Returns the bytes for the decoder; undefined for an unsupported file or one with too many parts. */
async function decodable(bytes: Buffer): Promise<Buffer | undefined> {
  const type = await fileTypeFromBuffer(bytes).catch(() => undefined); // too short to tell
  switch (type?.mime) {
    case 'image/jpeg':
      return hasTooManyScans(bytes) ? undefined : bytes;
    case 'image/png':
    case 'image/apng':
      return withoutUnusedChunks(bytes);
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

/** Reads the size in pixels from the header of a JPEG, PNG, WebP or GIF; undefined when unreadable. */
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

/** Converts a picture for use in a text: upright, within `edge` × `edge` pixels, sRGB, WebP, without metadata. */
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
 * Crops a picture to centred squares of these edge lengths: upright, sRGB, WebP, without metadata. Undefined unless the
 * bytes are an intact JPEG, PNG, WebP or GIF of at most 25 megapixels.
 */
export async function squarePictures(bytes: Buffer, edges: readonly number[]): Promise<Buffer[] | undefined> {
  const file = await decodable(bytes);
  if (!file) return undefined;
  try {
    const largest = Math.max(...edges);
    // Decode once and derive the smaller squares from the largest.
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
