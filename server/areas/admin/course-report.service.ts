import type { readCourseCompletion as ReadCourseCompletion } from '@officium/contract/course-reports';
import type { InputOf, ReplyOf } from '@officium/contract/endpoint';
import type { Locale } from '@officium/contract/common';
import { isShutOutOfCourse } from '#server/access/can.ts';
import { requireMay } from '#server/access/roles.ts';
import type { UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { notFound } from '#server/errors.ts';
import { pickText } from '#server/text/localised.ts';
import { findCourseReport, getReportedCourse } from './course-report.repository.ts';
import { toJourneyFigures } from './course-report.view.ts';

/** How far people get in a course; with a filter, small numbers are withheld. */
export async function readCourseReport(
  ctx: Ctx,
  viewer: UserViewer,
  { slug, locale, filter }: { slug: string; locale: Locale; filter: InputOf<typeof ReadCourseCompletion>['query'] },
): Promise<ReplyOf<typeof ReadCourseCompletion>> {
  const { cohort, country, organization, from, to } = filter;
  const course = await getReportedCourse(ctx.db, { slug, cohort });
  if (!course || isShutOutOfCourse(viewer, slug) || (cohort !== undefined && !course.hasCohort)) throw notFound();
  requireMay(viewer, 'read-reports', { kind: 'course', id: course.id });
  if (cohort !== undefined) requireMay(viewer, 'read-reports', { kind: 'cohort', id: cohort });
  const isNarrowed = [cohort, country, organization, from, to].some((value) => value !== undefined);
  const [rows, whole] = await Promise.all([
    findCourseReport(ctx.db, course.id, { cohort, country, organization, from, to }),
    isNarrowed ? findCourseReport(ctx.db, course.id, {}) : undefined,
  ]);
  return {
    course: { slug: course.slug, title: pickText(course.title, locale).text },
    isNarrowed,
    journeys: toJourneyFigures(rows, { locale, whole }),
  };
}
