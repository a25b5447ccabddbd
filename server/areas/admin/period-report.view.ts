import type { Locale } from '@officium/contract/common';
import type { ReplyOf } from '@officium/contract/endpoint';
import type { readPeriodReport, ReportGroup } from '@officium/contract/period-reports';
import { pickText } from '#server/text/localised.ts';
import {
  type Bounds,
  type Compared,
  dayBefore,
  type Group,
  NOTHING,
  tellGroups,
  toExact,
} from './period-report.policy.ts';
import type { PeriodReportRow } from './period-report.repository.ts';

/** Readers of reports see exact numbers of the cohorts and courses that are theirs elsewhere, too. */
const COARSE: readonly ReportGroup[] = ['organization', 'country'];

function labelOf({ name, title, key }: PeriodReportRow, by: ReportGroup, locale: Locale): string | null {
  if (title) return pickText(title, locale).text;
  return by === 'country' ? key || null : name;
}

/** Both periods of each group, those with most active people first. */
function toGroups(rows: readonly PeriodReportRow[], by: ReportGroup, locale: Locale): Group[] {
  const groups = new Map<string, Group>();
  for (const row of rows) {
    if (row.key === null) continue;
    const former = groups.get(row.key);
    const label = former && !row.is_now ? former.label : labelOf(row, by, locale);
    const { now = NOTHING, before = NOTHING } = former ?? {};
    groups.set(row.key, { key: row.key, label, now: row.is_now ? row : now, before: row.is_now ? before : row });
  }
  return [...groups.values()].toSorted(
    (one, other) => other.now.active - one.now.active || (one.key < other.key ? -1 : 1),
  );
}

export function toPeriodReport(
  rows: readonly PeriodReportRow[],
  {
    bounds: { before, start, end },
    by,
    isPart,
    locale,
  }: { bounds: Bounds; by: ReportGroup; /** Narrowed to a cohort or course. */ isPart: boolean; locale: Locale },
): ReplyOf<typeof readPeriodReport> {
  const whole = (isNow: boolean) => rows.find(({ key, is_now }) => key === null && is_now === isNow) ?? NOTHING;
  const total: Compared = { now: whole(true), before: whole(false) };
  const isCoarse = COARSE.includes(by);
  return {
    period: { from: start, to: dayBefore(end) },
    before: { from: before, to: dayBefore(start) },
    isCoarse,
    total: { now: toExact(total.now), before: toExact(total.before) },
    ...tellGroups(toGroups(rows, by, locale), total, { isCoarse, isPart }),
  };
}
