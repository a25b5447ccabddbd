import { expect, it } from 'vitest';
import { localMoment } from './digest.policy.ts';

it.each([
  ['UTC', '2026-11-22T23:59:59Z', { hour: 23, date: '2026-11-22', isMonday: false }],
  ['Pacific/Kiritimati', '2026-11-22T23:59:59Z', { hour: 13, date: '2026-11-23', isMonday: true }],
  ['America/St_Johns', '2026-11-23T03:29:00Z', { hour: 23, date: '2026-11-22', isMonday: false }],
  ['Asia/Kathmandu', '2026-11-22T18:15:00Z', { hour: 0, date: '2026-11-23', isMonday: true }],
])('the local moment in %s at %s', (timeZone, at, expected) => {
  expect(localMoment(timeZone, new Date(at))).toEqual({ timeZone, ...expected });
});
