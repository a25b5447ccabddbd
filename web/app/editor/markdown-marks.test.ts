import { describe, expect, it } from 'vitest';
import { mark, type Mark } from './markdown-marks.ts';

/** Applies a button to a text in which `[` and `]` mark the selection, before and after. */
function press(kind: Mark, text: string): string {
  const start = text.indexOf('«');
  const end = text.indexOf('»') - 1;
  const source = text.replace(/[«»]/g, '');
  const { from, to, text: inserted, select } = mark(kind, source, start, end);
  const after = source.slice(0, from) + inserted + source.slice(to);
  return `${after.slice(0, select[0])}«${after.slice(select[0], select[1])}»${after.slice(select[1])}`;
}

describe('the toolbar buttons', () => {
  it.each<[Mark, string, string]>([
    ['bold', 'a «b» c', 'a **«b»** c'],
    ['bold', 'a **«b»** c', 'a «b» c'],
    ['italic', '«»', '_«»_'],
    ['link', 'see «the rules»', 'see [the rules](«https://»)'],
    ['link', 'see «https://example.org/a»', 'see [«»](https://example.org/a)'],
    ['heading', 'one\ntw«»o\nthree', 'one\n## two«»\nthree'],
    ['heading', '## tw«»o', 'two«»'],
    ['list', 'o«ne\ntw»o\nthree', '- one\n- two«»\nthree'],
    ['numbers', '«one\ntwo»', '1. one\n2. two«»'],
    ['numbers', '1. o«ne\n2. two»', 'one\ntwo«»'],
    ['quote', '«»', '> «»'],
  ])('%s: %j', (kind, before, after) => {
    expect(press(kind, before)).toBe(after);
  });
});
