import { expect, it } from 'vitest';
import { fromWallTime, toWallTime } from './wall-time.ts';

it.each([
  ['2026-11-27T09:30', 'Europe/Berlin', '2026-11-27T08:30:00.000Z'],
  ['2026-07-01T00:00', 'Europe/Berlin', '2026-06-30T22:00:00.000Z'],
  ['2026-01-01T00:00', 'Asia/Kolkata', '2025-12-31T18:30:00.000Z'],
  ['2026-03-29T12:00', 'Europe/Berlin', '2026-03-29T10:00:00.000Z'],
  ['2026-10-25T12:00', 'Europe/Berlin', '2026-10-25T11:00:00.000Z'],
])('reads %s in %s, and shows it again', (wall, zone, moment) => {
  expect(fromWallTime(wall, zone)).toBe(moment);
  expect(toWallTime(moment, zone)).toBe(wall);
});

it('moves a time that clocks skip to the one after', () => {
  expect(fromWallTime('2026-03-29T02:30', 'Europe/Berlin')).toBe('2026-03-29T01:30:00.000Z');
});

it.each(['', 'tomorrow', '2026-13-01T00:00', '2026-11-27'])('refuses %j', (value) => {
  expect(fromWallTime(value, 'UTC')).toBeUndefined();
});
