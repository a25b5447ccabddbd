import { expect, it } from 'vitest';
import { wordsIn } from './words-in.ts';

it('counts words in languages with and without spaces', () => {
  expect(wordsIn('', 'en')).toBe(0);
  expect(wordsIn('One idea, per  sentence.\n\nIt\u2019s 2 lines!', 'en')).toBe(7);
  expect(wordsIn('مرحبا بكم', 'ar')).toBe(2);
  expect(wordsIn('日本語の文章です', 'ja')).toBeGreaterThan(2);
});
