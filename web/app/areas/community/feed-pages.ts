import type { PostData } from './model.ts';

/** One loaded page of a feed. */
export type FeedPage = { offset: number; posts: PostData[]; next: number | null };

/** Adds a loaded page; it replaces one with the same offset. */
export function withPage(pages: readonly FeedPage[], page: FeedPage): FeedPage[] {
  return [...pages.filter(({ offset }) => offset !== page.offset), page].sort((a, b) => a.offset - b.offset);
}

/** The posts of all pages, without duplicates: a post may move down while the viewer reads. */
export function postsOf(pages: readonly FeedPage[]): PostData[] {
  const posts = pages.flatMap((page) => page.posts);
  const last = new Map(posts.map((post) => [post.id, post]));
  return [...last.values()];
}

/** The lowest id of posts created from this time on: ids start with the time (UUIDv7). */
export function idFrom(time: number): string {
  const hex = time.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}
