import { pageNumberOf } from '../form/page-number.ts';

/** The state of an administration list, as read from its address: `?q=…&sort=-name&page=2` and its own filters. */
export type Listing = {
  page: number;
  limit: number;
  offset: number;
  /** The search text; empty for everything. */
  match: string;
  /** The address with some parameters changed. Any change but `page` goes back to the first page. */
  addressOf: (change: Record<string, string | undefined>) => string;
};

/** Default page size. */
export const PAGE_SIZE = 50;

export function listingOf(url: URL, limit = PAGE_SIZE): Listing {
  const page = pageNumberOf(url);
  return {
    page,
    limit,
    offset: (page - 1) * limit,
    match: (url.searchParams.get('q') ?? '').trim().slice(0, 200),
    addressOf: (change) => {
      const query = new URLSearchParams(url.searchParams);
      query.delete('page');
      for (const [name, value] of Object.entries(change)) {
        if (value) query.set(name, value);
        else query.delete(name);
      }
      const written = query.toString();
      return written ? `${url.pathname}?${written}` : url.pathname;
    },
  };
}
