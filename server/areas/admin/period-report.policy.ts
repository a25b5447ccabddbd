import { LEAST_PUBLISHED } from '@officium/contract/decisions';
import { LEAST_IN_PART, MAX_REPORT_GROUPS, type ReportPeriod } from '@officium/contract/period-reports';

/** First days of a period, of the one before, and of the one after, in UTC. */
export type Bounds = { before: string; start: string; end: string };

const MONTHS: Record<ReportPeriod, number> = { month: 1, quarter: 3, year: 12 };

const firstDay = (year: number, month: number) => new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10);

/** The period that contains a month, such as `2026-11`. */
export function boundsOf(period: ReportPeriod, month: string): Bounds {
  const length = MONTHS[period];
  const year = Number(month.slice(0, 4));
  const first = Math.floor((Number(month.slice(5, 7)) - 1) / length) * length;
  return {
    before: firstDay(year, first - length),
    start: firstDay(year, first),
    end: firstDay(year, first + length),
  };
}

/** The day before, as the last day of a period. */
export function dayBefore(day: string): string {
  return new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);
}

export type Numbers = {
  people: number;
  active: number;
  minutes: number;
  enrolments: number;
  completions: number;
  open: number;
  certificates: number;
};
export type Compared = { now: Numbers; before: Numbers };
export type Group = Compared & { key: string; label: string | null };
type Told = Omit<Numbers, 'people' | 'minutes'> & { minutes: number | null };

export const NOTHING: Numbers = {
  people: 0,
  active: 0,
  minutes: 0,
  enrolments: 0,
  completions: 0,
  open: 0,
  certificates: 0,
};

export function toExact({ active, minutes, enrolments, completions, open, certificates }: Numbers): Told {
  return { active, minutes, enrolments, completions, open, certificates };
}

const isLarge = (people: number) => people === 0 || people >= LEAST_PUBLISHED;
/** A group is told about if it and the others are nobody or many. */
const isTold = (group: Numbers, whole: Numbers) => isLarge(group.people) && isLarge(whole.people - group.people);

const toFives = (count: number) => Math.round(count / 5) * 5;
const toHours = (minutes: number) => Math.round(minutes / 60) * 60;

/**
 * Numbers rounded so coarsely that the difference of two reports tells nothing about few people. The minutes of few
 * people are withheld.
 */
function toCoarse(numbers: Numbers, whole: Numbers): Told | null {
  if (!isTold(numbers, whole)) return null;
  const areFew = !isLarge(numbers.active) || !isLarge(whole.active - numbers.active);
  return {
    active: toFives(numbers.active),
    minutes: areFew ? null : toHours(numbers.minutes),
    enrolments: toFives(numbers.enrolments),
    completions: toFives(numbers.completions),
    open: toFives(numbers.open),
    certificates: toFives(numbers.certificates),
  };
}

function sumOf(groups: readonly Group[]): Compared {
  const add = (one: Numbers, other: Numbers): Numbers => ({
    people: one.people + other.people,
    active: one.active + other.active,
    minutes: one.minutes + other.minutes,
    enrolments: one.enrolments + other.enrolments,
    completions: one.completions + other.completions,
    open: one.open + other.open,
    certificates: one.certificates + other.certificates,
  });
  return groups.reduce<Compared>(
    (sum, { now, before }) => ({ now: add(sum.now, now), before: add(sum.before, before) }),
    { now: NOTHING, before: NOTHING },
  );
}

type ToldGroup = { key: string; label: string | null; now: Told | null; before: Told | null };
export type ToldGroups = { groups: ToldGroup[]; others: Omit<ToldGroup, 'key' | 'label'> | null };

/**
 * Groups in their order. Coarse ones are told without the names of small groups. In a part, such as a cohort, they are told only
 * when many are counted: managers choose the members of a cohort, so four accounts of their own would tell about a fifth.
 */
export function tellGroups(
  groups: readonly Group[],
  total: Compared,
  { isCoarse, isPart }: { isCoarse: boolean; isPart: boolean },
): ToldGroups {
  const isHidden = ({ people }: Numbers) => isCoarse && isPart && people < LEAST_IN_PART;
  const told = isHidden(total.now) ? [] : groups;
  const named = isCoarse ? told.filter(({ now }) => now.people > 0 && isTold(now, total.now)) : told;
  const shown = named.slice(0, MAX_REPORT_GROUPS);
  const keys = new Set(shown.map(({ key }) => key));
  const rest = groups.filter(({ key }) => !keys.has(key));
  const tell = ({ now, before }: Compared) => ({
    now: isCoarse ? toCoarse(now, total.now) : toExact(now),
    before: isCoarse ? toCoarse(before, total.before) : toExact(before),
  });
  const tellOthers = () => {
    const { now, before } = tell(sumOf(rest));
    return { now, before: shown.length > 0 && isHidden(total.before) ? null : before };
  };
  return {
    groups: shown.map((group) => {
      const { now, before } = tell(group);
      return { key: group.key, label: group.label, now, before: isHidden(total.before) ? null : before };
    }),
    others: rest.length === 0 ? null : tellOthers(),
  };
}
