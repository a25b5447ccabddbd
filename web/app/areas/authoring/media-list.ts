import type { LIBRARY_KINDS } from '@officium/contract/media-library';

// Copied from the contract, whose module would bring zod into the browser.
export const LIBRARY = ['picture', 'video', 'audio', 'captions', 'file'] as const satisfies typeof LIBRARY_KINDS;

/** Reads the filters of the library from the address; invalid values are ignored. */
export function mediaFiltersOf({ searchParams }: URL) {
  const q = (searchParams.get('q') ?? '').trim().slice(0, 200);
  const kind = LIBRARY.find((value) => value === searchParams.get('kind'));
  return {
    ...(q ? { q } : {}),
    ...(kind ? { kind } : {}),
    ...(searchParams.get('unused') === 'true' ? { unused: 'true' as const } : {}),
  };
}
export type MediaFilters = ReturnType<typeof mediaFiltersOf>;

/** The addresses of the first and of the next page. */
export function placesOf({ pathname, searchParams }: URL, after: string | undefined, next: string | undefined) {
  const at = (token?: string) => {
    const query = new URLSearchParams(searchParams);
    query.delete('after');
    if (token) query.set('after', token);
    return query.size > 0 ? `${pathname}?${query.toString()}` : pathname;
  };
  return { first: after ? at() : undefined, next: next ? at(next) : undefined };
}
