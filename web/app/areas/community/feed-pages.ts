import type { PostData } from './model.ts';

/** One page of a feed as it was loaded. */
export type FeedPage = { offset: number; posts: PostData[]; next: number | null };

/** Pages already shown, and one that came: it replaces what was loaded from the same place. */
export function withPage(pages: readonly FeedPage[], page: FeedPage): FeedPage[] {
  return [...pages.filter(({ offset }) => offset !== page.offset), page].sort((a, b) => a.offset - b.offset);
}

/** The posts of all pages. While somebody reads, a ranking goes on: what moved down shall not be shown twice. */
export function postsOf(pages: readonly FeedPage[]): PostData[] {
  const posts = pages.flatMap((page) => page.posts);
  const last = new Map(posts.map((post) => [post.id, post]));
  return [...last.values()];
}

/** The lowest id a post made from now on can have: ids begin with the time (UUIDv7). */
export function idFrom(time: number): string {
  const hex = time.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}
