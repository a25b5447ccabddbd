import { expect, test } from 'vitest';
import { idFrom, postsOf, withPage, type FeedPage } from './feed-pages.ts';
import type { PostData } from './model.ts';

const post = (id: string, likes = 0) => ({ id, likes }) as PostData; // only these fields are read
const page = (offset: number, ...posts: PostData[]): FeedPage => ({ offset, posts, next: null });
const idsOf = (pages: FeedPage[]) => postsOf(pages).map(({ id }) => id);

test('keeps pages in order and replaces one that is loaded again', () => {
  const pages = withPage(withPage([page(0, post('a'))], page(30, post('b'))), page(0, post('c')));
  expect(idsOf(pages)).toEqual(['c', 'b']);
});

test('shows a post that moved between two pages once, in its newest state', () => {
  const pages = [page(0, post('a'), post('b', 1)), page(30, post('b', 2), post('c'))];
  expect(idsOf(pages)).toEqual(['a', 'b', 'c']);
  expect(postsOf(pages)[1]?.likes).toBe(2);
});

test('gives the lowest id of a time: above earlier ids, not above those of that time', () => {
  expect(idFrom(0x0190a8b21111)).toBe('0190a8b2-1111-7000-8000-000000000000');
  expect(idFrom(5) > idFrom(4)).toBe(true);
});
