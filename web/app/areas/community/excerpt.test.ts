import { expect, test } from 'vitest';
import { excerptOf, plainOf } from './excerpt.ts';

const paragraph = `<p>${'word '.repeat(20)}</p>`;

test('a short text stays whole', () => {
  expect(excerptOf(paragraph, 200)).toEqual({ html: paragraph, isCut: false });
});

test('a long text is cut after a block, never inside one', () => {
  const list = `<ul><li>${paragraph}<br></li><li>two</li></ul>`;
  expect(excerptOf(list + paragraph.repeat(5), 50)).toEqual({ html: list, isCut: true });
});

test('a text whose last block passes the limit is whole', () => {
  expect(excerptOf(paragraph.repeat(2), 110).isCut).toBe(false);
});

test('plain text has neither markup nor mentions', () => {
  const html = '<p>Fish &amp; chips, {{018f4e2a-7c1d-7e2b-9a3c-1f2e3d4c5b6a}}!</p><p>Two</p>';
  expect(plainOf(html, 100)).toBe('Fish & chips,! Two');
});

test('plain text is cut between words', () => {
  expect(plainOf('<p>one two three four</p>', 12)).toBe('one two…');
});
