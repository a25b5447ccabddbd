import { expect, test } from 'vitest';
import { excerptOf } from './excerpt.ts';

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
