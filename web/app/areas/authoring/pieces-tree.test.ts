import { expect, test } from 'vitest';
import { openIn, type PieceRow, toggled, toTree } from './pieces-tree.ts';

const row = (kind: PieceRow['kind'], key: string, under: string | null = null) => ({ kind, key, under }) as PieceRow;
const parts = [
  row('course', 'a', 'academy:x'),
  row('journey', 'j', 'course:a'),
  row('lesson', 'l', 'journey:j'),
  row('journey', 'other', 'course:b'),
];

test('puts the parts of open pieces below them', () => {
  const [academy, course] = toTree([row('academy', 'x'), row('course', 'b')], parts, ['academy:x', 'course:a']);
  expect(course?.children).toBeUndefined();
  const [below] = academy?.children ?? [];
  expect([below?.name, below?.children?.map(({ name }) => name)]).toEqual(['course:a', ['journey:j']]);
  expect(below?.children?.[0]?.children).toBeUndefined();
});

test('opens and closes a piece in the address, with what is inside it', () => {
  expect(toggled('?open=course%3Ab&page=1', { name: 'course:a', children: undefined })).toBe(
    '?page=1&open=course%3Ab&open=course%3Aa',
  );
  const [academy] = toTree([row('academy', 'x')], parts, ['academy:x', 'course:a', 'journey:j']);
  expect(toggled('?open=academy:x&open=course:a&open=journey:j&open=course:b', academy!)).toBe('?open=course%3Ab');
  expect(toggled('?open=course:b', { name: 'course:b', children: [] })).toBe('');
});

test('reads open pieces from the address and ignores anything else', () => {
  const open = (query: string) => openIn(new URL(`http://x/?${query}`));
  expect(open('open=course:a&open=course:a&open=lesson:b&open=course:a,journey:c')).toEqual(['course:a']);
  expect(open(Array.from({ length: 40 }, (_, nth) => `open=course:${nth}`).join('&'))).toHaveLength(30);
});
