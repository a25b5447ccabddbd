import { PieceDoc } from '@officium/contract/authoring';
import { expect, it } from 'vitest';
import { differences } from './differences.ts';

const lesson = (en: string) => PieceDoc.parse({ kind: 'lesson', slug: 'one', title: { en: 'One' }, body: { en } });
const lines = (count: number, letter: string) =>
  Array.from({ length: count }, (_, nth) => `${letter}${nth}`).join('\n');

it('shows the lines that differ, without those around them', () => {
  expect(differences(lesson('a\nb\nc'), lesson('a\nB\nc'))).toEqual([
    {
      field: 'body',
      locale: 'en',
      lines: [
        { kind: 'skipped', text: '' },
        { kind: 'removed', text: 'b' },
        { kind: 'added', text: 'B' },
        { kind: 'skipped', text: '' },
      ],
    },
  ]);
});

it('shows the first lines of a text that was rewritten', () => {
  const [change] = differences(lesson(lines(9000, 'a')), lesson(lines(9000, 'b')));
  expect(change?.isCut).toBe(true);
  expect(change?.lines).toHaveLength(602);
  expect(change?.lines).toContainEqual({ kind: 'added', text: 'b299' });
});
