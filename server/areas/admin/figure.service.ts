import type { readFigures as ReadFigures, readWaiting as ReadWaiting } from '@officium/contract/figures';
import type { InputOf, ReplyOf } from '@officium/contract/endpoint';
import { INSTALLATION, requireMay } from '#server/access/roles.ts';
import type { UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { notFound } from '#server/errors.ts';
import { countFailedJobs } from '#server/jobs/watch.ts';
import * as figures from './figure.repository.ts';

/** Weekly figures for everything, a cohort, a course, or a cohort in a course. */
export async function readFigures(
  ctx: Ctx,
  viewer: UserViewer,
  { weeks, cohort, course }: InputOf<typeof ReadFigures>['query'],
): Promise<ReplyOf<typeof ReadFigures>> {
  const { hasCohort, courseId } = await figures.getScope(ctx.db, { cohort, course });
  if ((cohort !== undefined && !hasCohort) || (course !== undefined && courseId === null)) throw notFound();
  if (cohort !== undefined) requireMay(viewer, 'read-reports', { kind: 'cohort', id: cohort });
  if (courseId !== null) requireMay(viewer, 'read-reports', { kind: 'course', id: courseId });
  if (cohort === undefined && courseId === null) requireMay(viewer, 'read-reports', INSTALLATION);
  const rows = await figures.findFigures(ctx.db, { weeks, cohortId: cohort, courseId: courseId ?? undefined });
  // A course has no new people; enrolments count those.
  const hasNewPeople = cohort !== undefined || course === undefined;
  return { weeks: rows.map((row) => ({ ...row, newPeople: hasNewPeople ? row.newPeople : null })) };
}

/** Number of items that wait for an administrator. */
export async function readWaiting(ctx: Ctx): Promise<ReplyOf<typeof ReadWaiting>> {
  const [waiting, failedJobs] = await Promise.all([figures.countWaiting(ctx.db), countFailedJobs(ctx.db)]);
  return { ...waiting, failedJobs };
}
