import { expect, test } from 'vitest';
import { mediaFiltersOf, placesOf } from './media-list.ts';

const at = (query: string) => new URL(`http://x/admin/content/media?${query}`);

test('reads the filters from the address and ignores anything else', () => {
  expect(mediaFiltersOf(at('q=+form+&kind=file&unused=true'))).toEqual({ q: 'form', kind: 'file', unused: 'true' });
  expect(mediaFiltersOf(at('q=&kind=page&unused=yes'))).toEqual({});
});

test('keeps the filters on other pages', () => {
  expect(placesOf(at('kind=file&after=a'), 'a', 'b')).toEqual({
    first: '/admin/content/media?kind=file',
    next: '/admin/content/media?kind=file&after=b',
  });
  expect(placesOf(at(''), undefined, undefined)).toEqual({ first: undefined, next: undefined });
});
