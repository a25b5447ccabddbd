import { expect, test } from 'vitest';
import { excerptOf } from './excerpt.ts';

const paragraph = `<p>${'word '.repeat(20)}</p>`;

test('keeps a short text whole', () => {
  expect(excerptOf(paragraph, 200)).toEqual({ html: paragraph, isCut: false });
});

test('cuts a long text after a block, never inside one', () => {
  const list = `<ul><li>${paragraph}<br></li><li>two</li></ul>`;
  expect(excerptOf(list + paragraph.repeat(5), 50)).toEqual({ html: list, isCut: true });
});

test('keeps a text whole when only its last block exceeds the limit', () => {
  expect(excerptOf(paragraph.repeat(2), 110).isCut).toBe(false);
});
