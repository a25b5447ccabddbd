import { MAX_SESSIONS, type schedule } from '@officium/contract/events';
import { RRuleTemporal } from 'rrule-temporal';
import type { z } from 'zod';

/** When and where an event takes place, as it is written. */
export type Schedule = { [Field in keyof typeof schedule]: z.output<(typeof schedule)[Field]> };
export type PlannedSession = { startsAt: Date; endsAt: Date };
export type ScheduleFault = { field: keyof Schedule; message: string };

const PARTS = new Set('FREQ INTERVAL COUNT UNTIL BYDAY BYMONTH BYMONTHDAY BYYEARDAY BYWEEKNO BYSETPOS WKST'.split(' '));
const FREQUENCIES = new Set(['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY']);
/** A rule that never matches, such as 30 February, ends after this many periods. */
const MAX_ITERATIONS = 20_000;

/** The reason why a rule is refused before its dates are known. */
function ruleFault(rule: string): string | undefined {
  const parts = rule.split(';').map((part) => part.split('='));
  const names = parts.map(([name = '']) => name);
  const unknown = names.find((name) => !PARTS.has(name));
  if (unknown !== undefined || parts.some((part) => part.length !== 2 || part[1] === ''))
    return `Must be an RFC 5545 rule such as FREQ=WEEKLY;COUNT=6; ${unknown || 'a part'} cannot be used`;
  if (new Set(names).size < names.length) return 'Each part may appear once';
  const valueOf = (name: string) => parts.find(([own]) => own === name)?.[1];
  if (!FREQUENCIES.has(valueOf('FREQ') ?? '')) return 'FREQ must be DAILY, WEEKLY, MONTHLY or YEARLY';
  const count = valueOf('COUNT');
  if (count !== undefined && !/^[1-9]\d{0,5}$/.test(count)) return 'COUNT must be a number from 1';
  if ((count === undefined) === (valueOf('UNTIL') === undefined)) return 'Must end: add either COUNT or UNTIL';
  return undefined;
}

function datesOf(local: string, timeZone: string, rule: string): number[] {
  const start = `${local.replace(/[-:]/g, '')}00`;
  const recurrence = new RRuleTemporal({
    rruleString: `DTSTART;TZID=${timeZone}:${start}\nRRULE:${rule}`,
    strict: true,
    includeDtstart: true,
    maxIterations: MAX_ITERATIONS,
    maxCandidateEvaluations: MAX_ITERATIONS,
  });
  return recurrence.all((_, nth) => nth <= MAX_SESSIONS).map((date) => date.epochMilliseconds);
}

const ONCE = 'FREQ=DAILY;COUNT=1';

/** The faults that prevent the publication of a schedule. */
export function scheduleFault(schedule: Schedule): ScheduleFault | undefined {
  const { starts, ends, timeZone, recurrence } = schedule;
  if (starts === null) return { field: 'starts', message: 'Start is required' };
  if (ends === null) return { field: 'ends', message: 'End is required' };
  const [start = 0] = datesOf(starts, timeZone, ONCE);
  const [end = 0] = datesOf(ends, timeZone, ONCE);
  if (end <= start) return { field: 'ends', message: 'Must be after the start' };
  return recurrence === null ? undefined : recurrenceFault(schedule, recurrence);
}

/** The faults of a schedule's recurrence, whether or not it has its dates yet. */
export function recurrenceFault({ starts, timeZone }: Schedule, rule: string): ScheduleFault | undefined {
  const fault = (message: string): ScheduleFault => ({ field: 'recurrence', message });
  const early = ruleFault(rule);
  if (early !== undefined) return fault(early);
  try {
    const dates = datesOf(starts ?? '2030-01-01T09:00', timeZone, rule);
    if (dates.length > MAX_SESSIONS) return fault(`Makes more than ${MAX_SESSIONS} sessions`);
    return undefined;
  } catch (error) {
    return fault(`Is no valid rule: ${(error as Error).message}`); // the library throws errors only
  }
}

/** The sessions of a schedule without faults. Times of day are kept across changes of summer time. */
export function planSessions(schedule: Schedule): PlannedSession[] {
  const { starts, ends, timeZone, recurrence } = schedule;
  if (starts === null || ends === null) return [];
  const [start = 0] = datesOf(starts, timeZone, ONCE);
  const [end = 0] = datesOf(ends, timeZone, ONCE);
  return datesOf(starts, timeZone, recurrence ?? ONCE).map((at) => ({
    startsAt: new Date(at),
    endsAt: new Date(at + end - start),
  }));
}

export type StoredSession = PlannedSession & { id: string; isCancelled: boolean; hasRegistrations: boolean };
export type SessionChanges = {
  added: PlannedSession[];
  moved: (PlannedSession & { id: string })[];
  /** Nobody registered for them. */
  deleted: string[];
  cancelled: string[];
};

/**
 * Matches the stored sessions of an event to those its schedule makes now. A session keeps its seats when its time stays;
 * the others are matched in order, so that a session that moves takes its seats along. Sessions that have ended stay
 * as they were.
 */
export function matchSessions(
  stored: readonly StoredSession[],
  planned: readonly PlannedSession[],
  now: Date,
): SessionChanges {
  const rest = new Map(planned.map((session) => [session.startsAt.getTime(), session]));
  const changes: SessionChanges = { added: [], moved: [], deleted: [], cancelled: [] };
  const unmatched = stored.filter((session) => {
    const same = rest.get(session.startsAt.getTime());
    if (!same) return true;
    rest.delete(session.startsAt.getTime());
    if (same.endsAt.getTime() !== session.endsAt.getTime()) changes.moved.push({ id: session.id, ...same });
    return false;
  });
  const open = [...rest.values()];
  for (const session of unmatched) {
    const isOver = session.endsAt <= now;
    const next = isOver || session.isCancelled ? undefined : open.shift();
    if (next) changes.moved.push({ id: session.id, ...next });
    else if (!session.hasRegistrations) changes.deleted.push(session.id);
    else if (!isOver && !session.isCancelled) changes.cancelled.push(session.id);
  }
  changes.added.push(...open);
  return changes;
}
