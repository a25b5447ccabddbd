const DAY_MS = 86_400_000;

/** Whole days since a due date (yyyy-mm-dd) ended at midnight UTC; 0 while it lasts, and without one. */
export function daysLate(dueOn: string | null, now: Date): number {
  if (dueOn === null) return 0;
  return Math.max(0, Math.floor((now.getTime() - Date.parse(dueOn)) / DAY_MS));
}

/** Adds how many days late something is. */
export function withLateness<One extends { dueOn: string | null }>(one: One, now: Date): One & { daysLate: number } {
  return { ...one, daysLate: daysLate(one.dueOn, now) };
}
