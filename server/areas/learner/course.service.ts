import type { Locale } from '@officium/contract/common';
import { chainOf } from '@officium/i18n/locales';
import { BASIC } from '#server/access/can.ts';
import type { Viewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import type { Db } from '#server/db/client.ts';
import { coalesced } from '#server/db/coalesce.ts';
import { notFound } from '#server/errors.ts';
import { seenAcademies } from '#server/areas/catalogue/catalogue.service.ts';
import { isKnown, isPreview, type CourseAccess, type JourneyAccess } from './course-access.policy.ts';
import { courseAccess, learnerOf, requireLevel, toLessonAccess } from './course-access.service.ts';
import { findLesson, getCoursePage } from './course.repository.ts';
import type { JourneySlugs } from './enrolment.service.ts';
import type { CoursePageRow, LessonPageRow } from './learner.rows.ts';

/** The page of a course, with the journeys the viewer sees or is enrolled in. */
export async function readCourse(
  ctx: Ctx,
  viewer: Viewer,
  courseSlug: string,
): Promise<{ course: CourseAccess; journeys: JourneyAccess[]; page: CoursePageRow }> {
  const course = await courseAccess(ctx.db, viewer, { by: 'slug', course: courseSlug });
  if (course.isWithdrawn) throw notFound();
  const journeys = course.journeys.filter(isKnown);
  const journeyKeys = journeys.map(({ key }) => key);
  const page = await getCoursePage(ctx.db, { courseId: course.id, journeyKeys, userId: learnerOf(viewer, courseSlug) });
  if (!page) throw notFound();
  return { course, journeys, page: { ...page, academies: await findSeenAcademies(ctx.db, viewer, page) } };
}

/** The academies of a course that the viewer may see, so that none is named beside a link to a missing page. */
async function findSeenAcademies(
  db: Db,
  viewer: Viewer,
  { academies }: CoursePageRow,
): Promise<CoursePageRow['academies']> {
  if (academies.length === 0) return academies;
  const seen = await seenAcademies(db, viewer, { by: 'id', values: academies.map(({ id }) => id) });
  const ids = new Set(seen.map(({ id }) => id));
  return academies.filter(({ id }) => ids.has(id));
}

type LessonSlugs = { by: 'slug'; course: string; journey: string; lesson: string };

const openLesson = coalesced(
  async (db: Db, { ref, locale }: { key: string; ref: LessonSlugs; locale: Locale }, learners) =>
    await findLesson(db, ref, { chain: chainOf(locale), learners }),
);

/** The page of a lesson. Throws 401 or 403 when the viewer may not read it. */
export async function readLesson(
  ctx: Ctx,
  viewer: Viewer,
  { courseSlug, journeySlug, lessonSlug, locale }: JourneySlugs & { lessonSlug: string; locale: Locale },
): Promise<{ course: CourseAccess; journey: JourneyAccess; page: LessonPageRow; lessonKey: string }> {
  const ref = { by: 'slug', course: courseSlug, journey: journeySlug, lesson: lessonSlug } as const;
  const key = JSON.stringify([courseSlug, journeySlug, lessonSlug, locale]);
  const learner = learnerOf(viewer, courseSlug);
  const rows = (await openLesson(ctx, { key, ref, locale }, learner)).filter((row) => row.learner === learner);
  const { course, journey, lesson } = toLessonAccess(viewer, rows, ref);
  if (!isPreview(journey, lesson.isFirst)) requireLevel(viewer, journey, BASIC);
  const page = rows.find(({ lesson_key: key }) => key === lesson.key);
  if (!page) throw notFound();
  return { course, journey, page, lessonKey: lesson.key };
}
