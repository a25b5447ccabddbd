import type { Ranking } from '@officium/contract/community';

/** Page size of a feed. */
export const FEED_PAGE_SIZE = 30;

/** The part of a feed that the address asks for. */
export type FeedView = { ranking: Ranking; category: string | undefined; offset: number };

// Addresses have their own words, so that they read well and survive changes of the API's rankings.
const RANKING_OF: Record<string, Ranking> = { new: 'recent_with_pin' };

export function feedOf(search: URLSearchParams): FeedView {
  const offset = Number(search.get('offset'));
  return {
    ranking: RANKING_OF[search.get('order') ?? ''] ?? 'community_feed_live',
    category: search.get('category') || undefined,
    offset: Number.isInteger(offset) && offset > 0 ? offset : 0,
  };
}

export function addressOfFeed(slug: string, { ranking, category, offset }: FeedView): string {
  const search = new URLSearchParams();
  if (ranking === 'recent_with_pin') search.set('order', 'new');
  if (category) search.set('category', category);
  if (offset) search.set('offset', String(offset));
  return `/communities/${slug}${search.size ? `?${search}` : ''}`;
}
