import type { Locale } from '@officium/contract/common';
import { chainOf } from '@officium/i18n/locales';
import { BASIC } from '#server/access/can.ts';
import type { Viewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import type { Db } from '#server/db/client.ts';
import { gathered } from '#server/db/gather.ts';
import { notFound } from '#server/errors.ts';
import { isKnown, isPreview, type CourseAccess, type JourneyAccess } from './course-access.policy.ts';
import { courseAccess, learnerOf, requireLevel, toLessonAccess } from './course-access.service.ts';
import { findLesson, getCoursePage } from './course.repository.ts';
import type { JourneySlugs } from './enrolment.service.ts';
import type { CoursePageRow, LessonPageRow } from './learner.rows.ts';

/** The page of a course with the journeys the viewer may know of. */
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
  return { course, journeys, page };
}

type NamedLesson = { by: 'slug'; course: string; journey: string; lesson: string };

const openLesson = gathered(
  async (db: Db, { place, locale }: { key: string; place: NamedLesson; locale: Locale }, learners) =>
    await findLesson(db, place, { chain: chainOf(locale), learners }),
);

/** The page of a lesson, for those who may read it. */
export async function readLesson(
  ctx: Ctx,
  viewer: Viewer,
  { courseSlug, journeySlug, lessonSlug, locale }: JourneySlugs & { lessonSlug: string; locale: Locale },
): Promise<{ course: CourseAccess; journey: JourneyAccess; page: LessonPageRow }> {
  const place = { by: 'slug', course: courseSlug, journey: journeySlug, lesson: lessonSlug } as const;
  const key = JSON.stringify([courseSlug, journeySlug, lessonSlug, locale]);
  const learner = learnerOf(viewer, courseSlug);
  const rows = (await openLesson(ctx.db, { key, place, locale }, learner)).filter((row) => row.learner === learner);
  const { course, journey, lesson } = toLessonAccess(viewer, rows, place);
  if (!isPreview(journey, lesson.isFirst)) requireLevel(viewer, journey, BASIC);
  const page = rows.find(({ lesson_key: key }) => key === lesson.key);
  if (!page) throw notFound();
  return { course, journey, page };
}
