import { MAX_PICTURE_BYTES } from './picture.ts';
import { type FetchOptions, fetchPublic } from './public-fetch.ts';

const PICTURE = {
  userAgent: 'Officium-Pictures/1 (+pictures of pages, fetched once for many readers)',
  accept: 'image/webp,image/png,image/jpeg,image/gif',
  isWanted: /^\s*image\//i,
  maxBytes: MAX_PICTURE_BYTES,
};

/** Fetches what says it is a picture from the public internet, of at most 5 MiB. Throws when it cannot be had. */
export async function fetchPicture(address: URL, options: FetchOptions): Promise<Buffer> {
  const { bytes } = await fetchPublic(address, PICTURE, options);
  return bytes;
}
