import { fileTypeFromBuffer } from 'file-type';
import sharp from 'sharp';
import { cleanSvg } from './svg-logo.policy.ts';
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

/** `color` is the average, such as #0b6e6e. */
export type TextPicture = { data: Buffer; width: number; height: number; color: string };

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
    return { data, width: info.width, height: info.height, color: await averageColor(data) };
  } catch {
    return undefined;
  }
}

async function averageColor(picture: Buffer): Promise<string> {
  const pixel = await sharp(picture)
    .flatten({ background: '#fff' })
    .resize(1, 1)
    .toColourspace('srgb')
    .raw()
    .toBuffer();
  return `#${pixel.subarray(0, 3).toString('hex')}`;
}

/** Converts a picture for a PDF: upright, within `edge` × `edge` pixels, sRGB, PNG, without metadata. */
export async function pngPicture(bytes: Buffer, edge: number): Promise<Omit<TextPicture, 'color'> | undefined> {
  const file = await decodable(bytes);
  if (!file) return undefined;
  try {
    const { data, info } = await sharp(file, READING)
      .resize(edge, edge, { fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .png()
      .toBuffer({ resolveWithObject: true });
    return { data, width: info.width, height: info.height };
  } catch {
    return undefined;
  }
}

const SVG_LOADERS = { operation: ['VipsForeignLoadSvg'] };
/** Points per inch of a drawing without a unit; the density scales it before it becomes pixels. */
const POINTS = 72;
const MAX_DENSITY = 7_200;

/** Draws an SVG with its longer edge at `edge` pixels, as WebP. Undefined unless it is harmless as a whole. */
export async function drawnLogo(bytes: Buffer, edge: number): Promise<TextPicture | undefined> {
  const svg = cleanSvg(bytes);
  if (svg === undefined) return undefined;
  const file = Buffer.from(svg);
  // Only while a cleaned file is read; pictures are decoded one at a time.
  sharp.unblock(SVG_LOADERS);
  try {
    const { width, height } = await sharp(file, { limitInputPixels: false, density: POINTS }).metadata();
    const density = Math.min(Math.max((POINTS * edge) / Math.max(width, height), 1), MAX_DENSITY);
    const { data, info } = await sharp(file, { limitInputPixels: MAX_PIXELS, failOn: 'error', density })
      .resize(edge, edge, { fit: 'inside' })
      .toColourspace('srgb')
      .webp({ quality: 90 })
      .toBuffer({ resolveWithObject: true });
    return { data, width: info.width, height: info.height, color: await averageColor(data) };
  } catch {
    return undefined;
  } finally {
    sharp.block(SVG_LOADERS);
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
