import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  boundsOf,
  type Compared,
  dayBefore,
  type Group,
  NOTHING,
  type Numbers,
  tellGroups,
} from './period-report.policy.ts';

const of = (people: number, active = people): Numbers => ({ ...NOTHING, people, active, minutes: active * 60 });
const group = (key: string, people: number, active = people): Group => ({
  key,
  label: key,
  now: of(people, active),
  before: NOTHING,
});
const totalOf = (groups: Group[]): Compared => ({
  now: of(
    groups.reduce((sum, { now }) => sum + now.people, 0),
    groups.reduce((sum, { now }) => sum + now.active, 0),
  ),
  before: NOTHING,
});

const COARSE = { isCoarse: true, isPart: false };

describe('boundsOf', () => {
  it.each([
    ['month', '2026-01', '2025-12-01', '2026-01-01', '2026-02-01'],
    ['quarter', '2026-02', '2025-10-01', '2026-01-01', '2026-04-01'],
    ['year', '2026-11', '2025-01-01', '2026-01-01', '2027-01-01'],
  ] as const)('finds the %s of %s', (period, month, before, start, end) => {
    expect(boundsOf(period, month)).toEqual({ before, start, end });
    expect(dayBefore(end) < end).toBe(true);
  });
});

describe('tellGroups', () => {
  it('sums small groups up without their names', () => {
    const groups = [group('tax', 40), group('post', 3), group('rail', 4), group('water', 12)];
    const { groups: told, others } = tellGroups(groups, totalOf(groups), COARSE);
    expect(told.map(({ key, now }) => [key, now?.active])).toEqual([
      ['tax', 40],
      ['water', 10],
    ]);
    expect(others?.now?.active).toBe(5);
  });

  it('withholds the others when they are few, and the group that leaves out few', () => {
    const groups = [group('tax', 40), group('post', 3)];
    const { groups: told, others } = tellGroups(groups, totalOf(groups), COARSE);
    expect(told).toEqual([]);
    expect(others?.now?.active).toBe(45);
    const three = [...groups, group('water', 9)];
    expect(tellGroups(three, totalOf(three), COARSE).others?.now).toBeNull();
  });

  it('names no group in a cohort or course of fewer than 50 people, in either period', () => {
    const part = { isCoarse: true, isPart: true };
    const small = [group('tax', 5), group('water', 44)];
    expect(tellGroups(small, totalOf(small), part)).toMatchObject({ groups: [], others: { now: { active: 50 } } });
    const large = [group('tax', 6), group('water', 44)];
    const told = tellGroups(large, totalOf(large), part);
    expect(told.groups.map(({ key, before }) => [key, before])).toEqual([
      ['tax', null],
      ['water', null],
    ]);
    const lately = [
      { ...group('tax', 6), before: of(5) },
      { ...group('water', 44), before: of(45) },
    ];
    const both = tellGroups(lately, { ...totalOf(lately), before: of(50) }, part);
    expect(both.groups.map(({ before }) => before?.active)).toEqual([5, 45]);
  });

  it('withholds the minutes of few people', () => {
    const groups = [group('tax', 40, 30), group('water', 30, 2)];
    const { groups: told } = tellGroups(groups, totalOf(groups), COARSE);
    expect(told.map(({ now }) => [now?.active, now?.minutes])).toEqual([
      [30, null],
      [0, null],
    ]);
  });

  it('tells only multiples of five, whatever the groups are', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(30), { minLength: 1, maxLength: 12 }), (sizes) => {
        const groups = sizes.map((size, nth) => group(String(nth), size));
        const { groups: told, others } = tellGroups(groups, totalOf(groups), COARSE);
        for (const { now } of [...told, ...(others ? [others] : [])]) expect((now?.active ?? 0) % 5).toBe(0);
        for (const { key } of told) expect(groups[Number(key)]?.now.people).toBeGreaterThanOrEqual(5);
      }),
    );
  });

  it('tells exact numbers of cohorts and courses', () => {
    const groups = [group('one', 2), group('two', 7)];
    expect(tellGroups(groups, totalOf(groups), { isCoarse: false, isPart: true })).toMatchObject({
      groups: [{ now: { active: 2, minutes: 120 } }, { now: { active: 7 } }],
      others: null,
    });
  });
});
