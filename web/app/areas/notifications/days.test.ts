import { describe, expect, it } from 'vitest';
import { byDay } from './days.ts';

const at = (createdAt: string) => ({ createdAt });

describe('byDay', () => {
  const now = new Date('2026-11-21T06:00:00Z');

  it('groups items by day in the viewer’s time zone', () => {
    const items = [at('2026-11-21T05:00:00Z'), at('2026-11-20T23:30:00Z'), at('2026-11-20T10:00:00Z')];
    const short = (zone: string) => byDay(items, zone, now).map(({ date, ago, items: of }) => [date, ago, of.length]);
    expect(short('UTC')).toEqual([
      ['2026-11-21', 0, 1],
      ['2026-11-20', 1, 2],
    ]);
    expect(short('Europe/Berlin')).toEqual([
      ['2026-11-21', 0, 2],
      ['2026-11-20', 1, 1],
    ]);
  });

  it('counts whole days across a clock change', () => {
    const [day] = byDay([at('2026-10-24T12:00:00Z')], 'Europe/Berlin', new Date('2026-10-26T00:30:00Z'));
    expect(day?.ago).toBe(2);
  });

  it('returns no days without items', () => {
    expect(byDay([], 'UTC', now)).toEqual([]);
  });
});
