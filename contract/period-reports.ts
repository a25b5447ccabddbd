import { z } from 'zod';
import { LocaleCode, Slug, Uuid } from './common.ts';
import { endpoint } from './endpoint.ts';

// Learning in a month, quarter or year, compared with the one before.

export const REPORT_GROUPS = ['organization', 'cohort', 'course', 'country'] as const;
export type ReportGroup = (typeof REPORT_GROUPS)[number];
export const REPORT_PERIODS = ['month', 'quarter', 'year'] as const;
export type ReportPeriod = (typeof REPORT_PERIODS)[number];
/** Groups shown at most, those with most active people first. */
export const MAX_REPORT_GROUPS = 500;
/** People counted in a cohort or course at least, to tell about its organisations and countries. */
export const LEAST_IN_PART = 50;

const Count = z.int().min(0);
const Numbers = z
  .object({
    active: Count.describe('People who completed a lesson'),
    minutes: Count.nullable().describe('Stated minutes of the lessons completed; null: withheld'),
    enrolments: Count.describe('New enrolments in journeys'),
    completions: Count.describe('Journeys completed'),
    open: Count.describe('Enrolments that were open at some time of the period'),
    certificates: Count.describe('Certificates issued and not revoked since'),
  })
  .meta({ id: 'PeriodNumbers' });
const compared = {
  now: Numbers.nullable().describe('null: withheld'),
  before: Numbers.nullable().describe('The period before; null: withheld'),
};
const Span = z.object({ from: z.iso.date(), to: z.iso.date().describe('Its last day, in UTC') });

export const readPeriodReport = endpoint({
  name: 'readPeriodReport',
  service: 'admin',
  method: 'GET',
  path: '/period-report',
  auth: 'admin',
  capability: 'read-reports',
  extension: true,
  summary: 'Read what was learned in a month, quarter or year',
  description:
    'By organisation, cohort, course or country, with the period before. `start` is any month of the period; by default the current one. Counted every hour from the current records. `cohort` and `course` restrict it; readers of some places must name one. By organisation and country, numbers are rounded to fives and small groups are summed up as `others`. Within a cohort or course they are told only when it counts at least 50 people; otherwise everybody is in `others`.',
  query: z.object({
    by: z.enum(REPORT_GROUPS, { error: `Must be one of ${REPORT_GROUPS.join(', ')}` }).default('organization'),
    period: z.enum(REPORT_PERIODS, { error: `Must be one of ${REPORT_PERIODS.join(', ')}` }).default('quarter'),
    start: z
      .string()
      .regex(/^20\d\d-(0[1-9]|1[0-2])$/, 'Must be a month, such as 2026-11')
      .optional(),
    cohort: Uuid.optional(),
    course: Slug.optional(),
    locale: LocaleCode.optional(),
  }),
  replies: {
    200: z
      .object({
        period: Span,
        before: Span,
        isCoarse: z.boolean().describe('Numbers of groups are rounded'),
        total: z.object(compared),
        groups: z.array(
          z.object({ key: z.string(), label: z.string().nullable().describe('null: not given'), ...compared }),
        ),
        others: z.object(compared).nullable().describe('Groups that are small or beyond the longest list; null: none'),
      })
      .meta({ id: 'PeriodReport' }),
  },
  errors: ['request.not_found'],
});
