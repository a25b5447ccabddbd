import { MAX_OFFSET } from '@officium/contract/common';

/**
 * Where the next page of a list of so many begins; null at its end, and where no offset reaches. `length`: how many a page
 * has that was cut before its limit.
 */
export function nextOffset(page: { limit: number; offset: number; length?: number }, total: number): number | null {
  const end = page.offset + (page.length ?? page.limit);
  return end < total && end <= MAX_OFFSET ? end : null;
}
