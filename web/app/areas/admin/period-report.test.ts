import { expect, it } from 'vitest';
import { choiceOf, rateOf, startsOf } from './period-report.ts';

const now = new Date('2026-02-10T12:00:00Z');

it('offers the current period first, across years', () => {
  expect(startsOf('month', now).slice(0, 3)).toEqual(['2026-02', '2026-01', '2025-12']);
  expect(startsOf('quarter', now).slice(0, 2)).toEqual(['2026-01', '2025-10']);
  expect(startsOf('year', now).slice(0, 2)).toEqual(['2026-01', '2025-01']);
});

it('reads the choice from the address, and ignores what it does not know', () => {
  const at = (query: string) => choiceOf(new URL(`https://site.example/admin/reports?${query}`), now);
  expect(at('span=year:2025-01&by=course&cohort=')).toEqual({
    by: 'course',
    period: 'year',
    start: '2025-01',
    cohort: undefined,
    course: undefined,
  });
  expect(at('span=day:x&by=shoes')).toMatchObject({ by: 'organization', period: 'quarter', start: '2026-01' });
});

it('has no rate without open enrolments, and none above one', () => {
  expect([rateOf({ completions: 0, open: 0 }), rateOf({ completions: 1, open: 4 })]).toEqual([null, 0.25]);
  expect(rateOf({ completions: 10, open: 5 })).toBe(1);
});
