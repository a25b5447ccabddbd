import { expect, test } from 'vitest';
import { idFrom, postsOf, withPage, type FeedPage } from './feed-pages.ts';
import type { PostData } from './model.ts';

const post = (id: string, likes = 0) => ({ id, likes }) as PostData; // no more is looked at
const page = (offset: number, ...posts: PostData[]): FeedPage => ({ offset, posts, next: null });
const idsOf = (pages: FeedPage[]) => postsOf(pages).map(({ id }) => id);

test('pages stand in order, and one that is loaded again replaces the old', () => {
  const pages = withPage(withPage([page(0, post('a'))], page(30, post('b'))), page(0, post('c')));
  expect(idsOf(pages)).toEqual(['c', 'b']);
});

test('a post that moved down between two pages is shown once, as it is now', () => {
  const pages = [page(0, post('a'), post('b', 1)), page(30, post('b', 2), post('c'))];
  expect(idsOf(pages)).toEqual(['a', 'b', 'c']);
  expect(postsOf(pages)[1]?.likes).toBe(2);
});

test('the id of a time is not above those made then, and above those made before', () => {
  expect(idFrom(0x0190a8b21111)).toBe('0190a8b2-1111-7000-8000-000000000000');
  expect(idFrom(5) > idFrom(4)).toBe(true);
});
