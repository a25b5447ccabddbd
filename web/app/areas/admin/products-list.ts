import { ACCESS_SORTS, ACCESS_TYPES } from '@officium/contract/product-access';
import { oneOf } from './access-words.ts';
import { listingOf, type Listing } from '../../admin/listing.ts';

export const STATES = ['registered', 'unregistered'] as const;

/** The state of the list of products, as read from its address. */
export function productsListOf(url: URL): {
  listing: Listing;
  filters: {
    type?: (typeof ACCESS_TYPES)[number];
    state?: (typeof STATES)[number];
    sort: (typeof ACCESS_SORTS)[number];
  };
} {
  const asked = url.searchParams;
  return {
    listing: listingOf(url),
    filters: {
      type: oneOf(ACCESS_TYPES, asked.get('type')),
      state: oneOf(STATES, asked.get('state')),
      sort: oneOf(ACCESS_SORTS, asked.get('sort')) ?? 'title',
    },
  };
}

/** The path with the query of the list the viewer came from; any other query is dropped. */
export function backTo(path: string, query: string): string {
  return query.startsWith('?') ? path + query : path;
}
