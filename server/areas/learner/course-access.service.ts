import { BASIC, courseLevel, isShutOutOfCourse, type Level } from '#server/access/can.ts';
import { isActive, viewerId, ANONYMOUS, type Viewer } from '#server/access/viewer.ts';
import type { Db } from '#server/db/client.ts';
import { AppError, notFound } from '#server/errors.ts';
import {
  isCourseKnown,
  isKnown,
  toCourseAccess,
  type CourseAccess,
  type JourneyAccess,
} from './course-access.policy.ts';
import { findAccess, type CourseRef } from './course-access.repository.ts';
import type { CourseAccessRow, JourneyStatus } from './learner.rows.ts';

export type { CourseAccess, JourneyAccess, CourseRef };
export type JourneyRef = CourseRef & { journey: string };
export type LessonRef = JourneyRef & { lesson: string };
export type LessonAccess = {
  course: CourseAccess;
  journey: JourneyAccess;
  lesson: NonNullable<JourneyAccess['lesson']>;
  level: Level;
};

/** The account whose grants and enrolments count; the anonymous one for an inactive viewer. */
const accountOf = (viewer: Viewer) => viewerId(isActive(viewer) ? viewer : ANONYMOUS);

/** The account whose records course pages show; the anonymous one when the session's token leaves the course out. */
export function learnerOf(viewer: Viewer, courseSlug: string): string {
  return isShutOutOfCourse(viewer, courseSlug) ? viewerId(ANONYMOUS) : accountOf(viewer);
}

function toCourse(viewer: Viewer, rows: CourseAccessRow[]): CourseAccess {
  const course = toCourseAccess(viewer, rows);
  if (!course || !isCourseKnown(course)) throw notFound();
  return course;
}

function toJourney(course: CourseAccess, ref: JourneyRef): JourneyAccess {
  const journey = course.journeys.find((candidate) => candidate[ref.by] === ref.journey);
  if (!journey || !isKnown(journey)) throw notFound();
  return journey;
}

/** A viewer's access to a course, in one query. Throws 404 when it is hidden from a viewer without an enrolment in it. */
export async function courseAccess(db: Db, viewer: Viewer, ref: CourseRef): Promise<CourseAccess> {
  return toCourse(viewer, await findAccess(db, { ref, userId: accountOf(viewer) }));
}

/** A viewer's access to one journey of a course. Throws 404 when it is hidden, unknown or of another course. */
export async function journeyAccess(
  db: Db,
  viewer: Viewer,
  ref: JourneyRef,
): Promise<{ course: CourseAccess; journey: JourneyAccess }> {
  const course = await courseAccess(db, viewer, ref);
  return { course, journey: toJourney(course, ref) };
}

/**
 * The lesson of a path and the viewer's level in it, from access rows. Throws 404 when a part of the path is hidden,
 * withdrawn or not below the part before it. Does not check the level: see `requireLevel`.
 */
export function toLessonAccess(viewer: Viewer, rows: CourseAccessRow[], ref: LessonRef): LessonAccess {
  const course = toCourse(viewer, rows);
  const journey = toJourney(course, ref);
  const { lesson } = journey;
  if (!lesson || journey.isWithdrawn) throw notFound();
  return { course, journey, lesson, level: journey.level };
}

/** Reads the access rows in one query; otherwise as `toLessonAccess`. */
export async function lessonAccess(db: Db, viewer: Viewer, ref: LessonRef): Promise<LessonAccess> {
  return toLessonAccess(viewer, await findAccess(db, { ref, userId: accountOf(viewer) }), ref);
}

const REFUSALS = {
  created: 'learner.enrolment_pending',
  pending: 'learner.enrolment_pending',
  expired: 'learner.enrolment_expired',
  enrolled: 'auth.forbidden', // the session's token allows less than the enrolment
} as const satisfies Record<JourneyStatus, string>;

type EnrolmentAccess = Pick<JourneyAccess, 'level' | 'enrolment' | 'isShutOut'>;

/** Throws 401 for an anonymous viewer below the level, 403 with the reason for any other. */
export function requireLevel(viewer: Viewer, journey: EnrolmentAccess, level: Level): void {
  if (journey.level >= level) return;
  if (viewer.kind === 'anonymous') throw new AppError('auth.required');
  throw refusalOf(journey);
}

/**
 * Throws 403 when the session's token allows less than basic in a course. Guards records that outlive the enrolment, so
 * that only the token can take them away.
 */
export function requireOpenRecords(viewer: Viewer, course: { slug: string }): void {
  if (courseLevel(viewer, course, { granted: true, enrolled: true }) < BASIC) throw new AppError('auth.forbidden');
}

/** Recording progress requires a current enrolment, from administrators too. */
export function requireEnrolment(journey: EnrolmentAccess): void {
  if (journey.enrolment?.status !== 'enrolled' || journey.level < BASIC) throw refusalOf(journey);
}

function refusalOf({ enrolment, isShutOut }: EnrolmentAccess): AppError {
  if (isShutOut) return new AppError('auth.forbidden');
  return new AppError(enrolment ? REFUSALS[enrolment.status] : 'learner.not_enrolled');
}
