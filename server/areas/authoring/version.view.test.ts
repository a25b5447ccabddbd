import { PieceDoc } from '@officium/contract/authoring';
import { LOCALES } from '@officium/i18n/locales';
import { describe, expect, it } from 'vitest';
import { differences } from './version.view.ts';

const lesson = (body: Partial<Record<string, string>>) =>
  PieceDoc.parse({ kind: 'lesson', slug: 'one', title: { en: 'One' }, body });
const lines = (count: number, line: (nth: number) => string) =>
  Array.from({ length: count }, (_, nth) => line(nth)).join('\n');
const compare = (before: string, after: string) => differences(lesson({ en: before }), lesson({ en: after }), [])[0];

describe('differences', () => {
  it('shows a change among thousands of equal lines', () => {
    const before = lines(20_000, (nth) => `${nth % 7}`).split('\n');
    const after = before.with(9_000, 'changed');
    const change = compare(before.join('\n'), after.join('\n'));
    expect(change?.isCut).toBeUndefined();
    expect(change?.lines.filter(({ kind }) => kind !== 'same' && kind !== 'skipped')).toEqual([
      { kind: 'removed', text: before[9_000] },
      { kind: 'added', text: 'changed' },
    ]);
  });

  it('compares a text of 700 rewritten lines in full', () => {
    const change = compare(
      lines(700, (nth) => `before ${nth}`),
      lines(700, (nth) => (nth === 350 ? 'before 350' : `after ${nth}`)),
    );
    expect(change?.isCut).toBeUndefined();
    expect(change?.lines).toContainEqual({ kind: 'same', text: 'before 350' });
    expect(change?.lines).toHaveLength(1399);
  });

  it('shows the first removed and added lines of a change that is too large to compare', () => {
    const change = compare(
      lines(6000, (nth) => `a${nth}`),
      lines(6000, (nth) => `b${nth}`),
    );
    expect(change?.isCut).toBe(true);
    expect(change?.lines.slice(0, 2)).toEqual([
      { kind: 'removed', text: 'a0' },
      { kind: 'removed', text: 'a1' },
    ]);
    expect(change?.lines).toContainEqual({ kind: 'added', text: 'b0' });
    expect(change?.lines.length).toBeLessThan(500);
  });

  it.each([
    ['different lines', (nth: number) => `a${nth}`, (nth: number) => `b${nth}`],
    ['one repeated line', () => 'a', () => 'b'],
    ['empty lines between others', (nth: number) => (nth % 2 ? '' : 'a'), (nth: number) => (nth % 3 ? '' : 'b')],
    [
      'long runs between different lines',
      (nth: number) => (nth % 60 ? 'a' : `x${nth}`),
      (nth: number) => (nth % 60 ? 'a' : `y${nth}`),
    ],
  ])('takes less than a second and answers few lines for the largest texts in every language: %s', (_, one, other) => {
    const texts = (line: (nth: number) => string) =>
      Object.fromEntries(LOCALES.map((locale) => [locale, lines(65_536, line).slice(0, 65_536)]));
    const before = performance.now();
    const changes = differences(lesson(texts(one)), lesson(texts(other)), []);
    expect(performance.now() - before).toBeLessThan(1000);
    expect(changes).toHaveLength(LOCALES.length);
    expect(changes.flatMap((change) => change.lines).length).toBeLessThan(6000);
  });
});
