import { expect, it } from 'vitest';
import { addressOf, isTooShort, wordsApart } from './query.ts';

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
])('one letter is too short, a word of one sign is not: %s', (q, expected) => {
  expect(isTooShort(q)).toBe(expected);
});

it('takes a search apart into what may be searched for alone', () => {
  expect(wordsApart('budget')).toEqual([]);
  expect(wordsApart('budget report budget')).toEqual(['budget', 'report']);
  expect(wordsApart('"annual budget" -tax')).toEqual(['annual', 'budget']);
  expect(wordsApart('"budget"')).toEqual(['budget']);
  expect(wordsApart('a b c d e f aa bb cc dd ee ff')).toHaveLength(5);
});

it('leaves out of an address what goes without saying', () => {
  expect(addressOf({ q: 'a&b', page: 1 })).toBe('/search?q=a%26b');
  expect(addressOf({ q: 'x', group: 'posts', page: 2 })).toBe('/search?q=x&group=posts&page=2');
});
