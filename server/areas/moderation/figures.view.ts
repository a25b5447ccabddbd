import { LEAST_PUBLISHED } from '@officium/contract/decisions';
import { REPORT_REASONS } from '@officium/contract/moderation';
import type { ModerationFigures } from '@officium/contract/moderation-office';
import type { YearRow } from './figures.repository.ts';

/** A publishable count: zero, or high enough that it identifies nobody. Null otherwise. */
function publish(count: number): number | null {
  return count > 0 && count < LEAST_PUBLISHED ? null : count;
}

/** Withholds low counts of a published sum; of a single low count the next larger too, or the sum would reveal it. */
export function withhold(counts: number[]): (number | null)[] {
  const shown = counts.map(publish);
  if (shown.filter((count) => count === null).length !== 1) return shown;
  const least = Math.min(...shown.filter((count): count is number => count !== null && count > 0));
  const index = shown.indexOf(least);
  return index === -1 ? shown : shown.with(index, null);
}

export function toFigures(row: YearRow): ModerationFigures {
  const counts = REPORT_REASONS.map((reason) => row.byReason[reason] ?? 0);
  const shown = withhold(counts);
  const total = counts.reduce((sum, count) => sum + count, 0);
  const isSumTelling = shown.filter((count) => count === null).length === 1;
  return {
    year: row.year,
    reports: publish(row.reports),
    kept: publish(row.kept),
    removed: isSumTelling ? null : publish(total),
    byReason: REPORT_REASONS.map((reason, index) => ({ reason, count: shown[index] ?? null })),
    appeals: publish(row.appeals),
    reversed: publish(row.reversed),
    medianHours:
      row.medianHours === null || row.decided < LEAST_PUBLISHED ? null : Math.round(row.medianHours * 10) / 10,
  };
}
