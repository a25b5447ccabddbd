import { REPORT_GROUPS, REPORT_PERIODS, type ReportGroup, type ReportPeriod } from '@officium/contract/period-reports';

/** The choices of the report, as in the address. `span` is a kind of period and its first month: `quarter:2026-10`. */
export type PeriodChoice = {
  by: ReportGroup;
  period: ReportPeriod;
  start: string;
  cohort: string | undefined;
  course: string | undefined;
};

const MONTHS: Record<ReportPeriod, number> = { month: 1, quarter: 3, year: 12 };
/** How many periods of each kind can be chosen. */
const OFFERED: Record<ReportPeriod, number> = { month: 12, quarter: 8, year: 5 };

const monthAt = (year: number, month: number) => new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 7);

/** First months of the latest periods of a kind, the current one first. */
export function startsOf(period: ReportPeriod, now: Date): string[] {
  const length = MONTHS[period];
  const first = Math.floor(now.getUTCMonth() / length) * length;
  return Array.from({ length: OFFERED[period] }, (_, nth) => monthAt(now.getUTCFullYear(), first - nth * length));
}

export function choiceOf(url: URL, now: Date): PeriodChoice {
  const asked = url.searchParams;
  const [kind = '', month = ''] = (asked.get('span') ?? '').split(':');
  const period = REPORT_PERIODS.find((one) => one === kind) ?? 'quarter';
  return {
    by: REPORT_GROUPS.find((one) => one === asked.get('by')) ?? 'organization',
    period,
    start: /^20\d\d-(0[1-9]|1[0-2])$/.test(month) ? month : (startsOf(period, now)[0] ?? ''),
    cohort: asked.get('cohort') || undefined,
    course: asked.get('course') || undefined,
  };
}

export function queryOf({ by, period, start, cohort, course }: PeriodChoice) {
  return { by, period, start, ...(cohort ? { cohort } : {}), ...(course ? { course } : {}) };
}

/** The share of open enrolments that were completed; null without any. */
export function rateOf(numbers: { completions: number; open: number }): number | null {
  return numbers.open === 0 ? null : Math.min(1, numbers.completions / numbers.open);
}
