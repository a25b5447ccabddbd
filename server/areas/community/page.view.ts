import { MAX_OFFSET } from '@officium/contract/common';

/**
 * The offset of the next page, or null when the list ends or no offset reaches further. `length`: the size of a page
 * that was cut before its limit.
 */
export function nextOffset(page: { limit: number; offset: number; length?: number }, total: number): number | null {
  const end = page.offset + (page.length ?? page.limit);
  return end < total && end <= MAX_OFFSET ? end : null;
}
