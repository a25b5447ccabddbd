import type { readPeriodReport } from '@officium/contract/period-reports';
import type { InputOf, ReplyOf } from '@officium/contract/endpoint';
import type { Locale } from '@officium/contract/common';
import { INSTALLATION, placesWith, requireMay } from '#server/access/roles.ts';
import type { UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { readDatabaseTime } from '#server/db/client.ts';
import { notFound } from '#server/errors.ts';
import { getScope } from './figure.repository.ts';
import { boundsOf } from './period-report.policy.ts';
import { findPeriodReport } from './period-report.repository.ts';
import { toPeriodReport } from './period-report.view.ts';

/** Learning in a period and the one before. Readers of some places name a cohort or a course of theirs. */
export async function readReportOf(
  ctx: Ctx,
  viewer: UserViewer,
  { by, period, start, cohort, course }: InputOf<typeof readPeriodReport>['query'],
  locale: Locale,
): Promise<ReplyOf<typeof readPeriodReport>> {
  const { hasCohort, courseId } = await getScope(ctx.db, { cohort, course });
  if ((cohort !== undefined && !hasCohort) || (course !== undefined && courseId === null)) throw notFound();
  if (cohort !== undefined) requireMay(viewer, 'read-reports', { kind: 'cohort', id: cohort });
  if (courseId !== null) requireMay(viewer, 'read-reports', { kind: 'course', id: courseId });
  if (cohort === undefined && courseId === null) requireMay(viewer, 'read-reports', INSTALLATION);
  const month = start ?? (await readDatabaseTime(ctx.db)).toISOString().slice(0, 7);
  const bounds = boundsOf(period, month);
  const places = placesWith(viewer, 'read-reports');
  const named = by === 'cohort' ? (places?.cohorts ?? null) : by === 'course' ? (places?.courses ?? null) : null;
  const rows = await findPeriodReport(ctx.db, { ...bounds, by, cohortId: cohort ?? null, courseId, named });
  const isPart = cohort !== undefined || courseId !== null;
  return toPeriodReport(rows, { bounds, by, isPart, locale });
}
