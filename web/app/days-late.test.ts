import { expect, it } from 'vitest';
import { daysLate } from './days-late.ts';

it.each([
  [null, 0],
  ['2030-05-11', 0],
  ['2030-05-10', 0],
  ['2030-05-09', 1],
  ['2030-04-10', 30],
])('counts the days since a due date has passed: %s', (dueOn, days) => {
  expect(daysLate(dueOn, new Date('2030-05-10T23:59:59Z'))).toBe(days);
  expect(daysLate(dueOn, new Date('2030-05-10T00:00:00Z'))).toBe(days);
});
