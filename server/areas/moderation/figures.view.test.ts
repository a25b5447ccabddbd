import { expect, it } from 'vitest';
import { toFigures, withhold } from './figures.view.ts';

it('withholds a count under five, and with a single one the next larger, so that the sum reveals neither', () => {
  expect(withhold([0, 4, 7, 20])).toEqual([0, null, null, 20]);
  expect(withhold([1, 4, 7, 20])).toEqual([null, null, 7, 20]);
  expect(withhold([0, 5, 7])).toEqual([0, 5, 7]);
  expect(withhold([0, 3])).toEqual([0, null]);
});

it('withholds all low figures of a year', () => {
  const row = { year: 2026, reports: 4, kept: 0, byReason: { spam: 3 }, appeals: 1, reversed: 5, decided: 4 };
  expect(toFigures({ ...row, medianHours: 1.26 })).toMatchObject({
    reports: null,
    kept: 0,
    removed: null,
    appeals: null,
    reversed: 5,
    medianHours: null,
  });
  expect(toFigures({ ...row, decided: 5, medianHours: 1.26, byReason: { spam: 3, hate: 9 } })).toMatchObject({
    removed: 12,
    medianHours: 1.3,
  });
});
