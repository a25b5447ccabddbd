import { expect, it } from 'vitest';
import { addressOf, filtersOf, isTooShort, without, wordsApart } from './query.ts';

it.each([
  ['a', true],
  ['é', true],
  ['ب', true],
  ['水', false],
  ['あ', false],
  ['길', false],
  ['5', false],
  ['ab', false],
  ['', false],
])('treats a single letter as too short, but not a one-character word: %s', (q, expected) => {
  expect(isTooShort(q)).toBe(expected);
});

it('splits a search into words that can be searched for alone', () => {
  expect(wordsApart('budget')).toEqual([]);
  expect(wordsApart('budget report budget')).toEqual(['budget', 'report']);
  expect(wordsApart('"annual budget" -tax')).toEqual(['annual', 'budget']);
  expect(wordsApart('"budget"')).toEqual(['budget']);
  expect(wordsApart('a b c d e f aa bb cc dd ee ff')).toHaveLength(5);
});

it('omits defaults from the address', () => {
  expect(addressOf({ q: 'a&b', page: 1 })).toBe('/search?q=a%26b');
  expect(addressOf({ q: 'x', group: 'posts', page: 2 })).toBe('/search?q=x&group=posts&page=2');
});

it('keeps filters in the address and reads them from it', () => {
  const filters = {
    language: 'sr-Cyrl',
    community: 'city-makers',
    author: '0193a7c2-5b1e-7d30-9f4a-2c6d8e0b1a57',
    within: 'month',
    from: '2026-01-31',
    to: '2026-02-28',
  } as const;
  const address = addressOf({ q: 'x', group: 'posts', filters });
  expect(filtersOf(new URLSearchParams(address.split('?')[1]))).toEqual(filters);
  expect(addressOf({ q: 'x', filters: without({ language: 'fr', within: 'week' }, 'within') })).toBe(
    '/search?q=x&language=fr',
  );
});

it('ignores filters that cannot be meant', () => {
  for (const query of [
    'language=xx&community=&author=ada&within=day&from=2026-02-30&to=0000-01-01',
    'from=01.02.2026&to=',
    'author=me',
  ])
    expect([query, filtersOf(new URLSearchParams(query))]).toEqual([query, {}]);
});
