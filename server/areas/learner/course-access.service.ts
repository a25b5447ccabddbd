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
import { findAccess, type CoursePlace } from './course-access.repository.ts';
import type { CourseAccessRow, JourneyStatus } from './learner.rows.ts';

export type { CourseAccess, JourneyAccess, CoursePlace };
export type JourneyPlace = CoursePlace & { journey: string };
export type LessonPlace = JourneyPlace & { lesson: string };
export type LessonAccess = {
  course: CourseAccess;
  journey: JourneyAccess;
  lesson: NonNullable<JourneyAccess['lesson']>;
  level: Level;
};

/** The account whose grants and places are looked up; nobody's for a viewer who may not act. */
const holderOf = (viewer: Viewer) => viewerId(isActive(viewer) ? viewer : ANONYMOUS);

/** The account whose records the pages of a course show; nobody's when the session's token leaves the course out. */
export function learnerOf(viewer: Viewer, courseSlug: string): string {
  return isShutOutOfCourse(viewer, courseSlug) ? viewerId(ANONYMOUS) : holderOf(viewer);
}

function toCourse(viewer: Viewer, rows: CourseAccessRow[]): CourseAccess {
  const course = toCourseAccess(viewer, rows);
  if (!course || !isCourseKnown(course)) throw notFound();
  return course;
}

function toJourney(course: CourseAccess, place: JourneyPlace): JourneyAccess {
  const journey = course.journeys.find((candidate) => candidate[place.by] === place.journey);
  if (!journey || !isKnown(journey)) throw notFound();
  return journey;
}

/** What a viewer may see and do in a course. Throws 404 when it is hidden from them and never had them. One query. */
export async function courseAccess(db: Db, viewer: Viewer, place: CoursePlace): Promise<CourseAccess> {
  return toCourse(viewer, await findAccess(db, { place, userId: holderOf(viewer) }));
}

/** The same for one journey of a course; 404 when it is another course's, hidden or unknown. */
export async function journeyAccess(
  db: Db,
  viewer: Viewer,
  place: JourneyPlace,
): Promise<{ course: CourseAccess; journey: JourneyAccess }> {
  const course = await courseAccess(db, viewer, place);
  return { course, journey: toJourney(course, place) };
}

/**
 * The lesson of a path and the viewer's level in it, from the rows of the access. Throws 404 when any part of the path
 * is hidden, withdrawn or not below the one before; says nothing of what the level allows: see `requireLevel`.
 */
export function toLessonAccess(viewer: Viewer, rows: CourseAccessRow[], place: LessonPlace): LessonAccess {
  const course = toCourse(viewer, rows);
  const journey = toJourney(course, place);
  const { lesson } = journey;
  if (!lesson || journey.isWithdrawn) throw notFound();
  return { course, journey, lesson, level: journey.level };
}

/** The same, in one query. */
export async function lessonAccess(db: Db, viewer: Viewer, place: LessonPlace): Promise<LessonAccess> {
  return toLessonAccess(viewer, await findAccess(db, { place, userId: holderOf(viewer) }), place);
}

const REFUSALS = {
  created: 'learner.enrolment_pending',
  pending: 'learner.enrolment_pending',
  expired: 'learner.enrolment_expired',
  enrolled: 'auth.forbidden', // the session's token says less than the enrolment
} as const satisfies Record<JourneyStatus, string>;

type Standing = Pick<JourneyAccess, 'level' | 'enrolment' | 'isShutOut'>;

/** 401 for a visitor, 403 with the reason for everybody else, unless the level is reached. */
export function requireLevel(viewer: Viewer, journey: Standing, level: Level): void {
  if (journey.level >= level) return;
  if (viewer.kind === 'anonymous') throw new AppError('auth.required');
  throw refusalOf(journey);
}

/**
 * 403 when the session's token allows less than basic in a course. Guards what stays with a learner when their place
 * ends, so that only the token can take it away.
 */
export function requireOpenRecords(viewer: Viewer, course: { slug: string }): void {
  if (courseLevel(viewer, course, { granted: true, enrolled: true }) < BASIC) throw new AppError('auth.forbidden');
}

/** What is recorded of a learner needs a place that is in force, of administrators too. */
export function requireEnrolment(journey: Standing): void {
  if (journey.enrolment?.status !== 'enrolled' || journey.level < BASIC) throw refusalOf(journey);
}

function refusalOf({ enrolment, isShutOut }: Standing): AppError {
  if (isShutOut) return new AppError('auth.forbidden');
  return new AppError(enrolment ? REFUSALS[enrolment.status] : 'learner.not_enrolled');
}
