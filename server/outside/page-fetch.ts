import { type Fetched, type FetchOptions, fetchPublic } from './public-fetch.ts';

export const MAX_PAGE_BYTES = 512 * 1024;

const PAGE = {
  userAgent: 'Officium-LinkPreview/1 (+link preview; one page, no links followed)',
  accept: 'text/html,application/xhtml+xml',
  isWanted: /^\s*(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i,
  maxBytes: MAX_PAGE_BYTES,
};

/** Fetches a public page of at most 512 KiB. Throws on any failure. */
export async function fetchPage(address: URL, options: FetchOptions): Promise<Fetched> {
  return await fetchPublic(address, PAGE, options);
}
