/** What a list in the administration shows, as its address says: `?q=…&sort=-name&page=2` and filters of its own. */
export type Listing = {
  page: number;
  limit: number;
  offset: number;
  /** What is looked for; empty for everything. */
  match: string;
  /** The address with some of it changed; going elsewhere in the list begins at its first page. */
  addressOf: (change: Record<string, string | undefined>) => string;
};

/** Rows on one page unless told. */
export const PAGE_SIZE = 50;

export function listingOf(url: URL, limit = PAGE_SIZE): Listing {
  const page = Math.max(Math.trunc(Number(url.searchParams.get('page')) || 1), 1);
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
