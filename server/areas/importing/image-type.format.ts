import { fileTypeFromBuffer } from 'file-type';

const SERVED = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif']);

/** Detects the media type of a supported image by its bytes; undefined for anything else, including SVG. */
export async function imageType(bytes: Uint8Array): Promise<string | undefined> {
  const type = await fileTypeFromBuffer(bytes).catch(() => undefined); // too short to tell
  const mime = type?.mime === 'image/apng' ? 'image/png' : type?.mime;
  return mime !== undefined && SERVED.has(mime) ? mime : undefined;
}
