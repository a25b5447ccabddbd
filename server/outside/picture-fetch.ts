import { MAX_PICTURE_BYTES } from './picture.ts';
import { type FetchOptions, fetchPublic } from './public-fetch.ts';

const PICTURE = {
  userAgent: 'Officium-Pictures/1 (+pictures of pages, fetched once for many readers)',
  accept: 'image/webp,image/png,image/jpeg,image/gif',
  isWanted: /^\s*image\//i,
  maxBytes: MAX_PICTURE_BYTES,
};

/** Fetches a public picture (by its Content-Type) of at most 5 MiB. Throws on any failure. */
export async function fetchPicture(address: URL, options: FetchOptions): Promise<Buffer> {
  const { bytes } = await fetchPublic(address, PICTURE, options);
  return bytes;
}
