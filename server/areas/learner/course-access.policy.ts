import type { LocalizedText } from '@officium/contract/common';
import type { WAYS_IN } from '@officium/contract/learner';
import {
  admits,
  BASIC,
  canEnrol,
  canSeeCourse,
  canSeeJourney,
  courseLevel,
  factsOfJourney,
  isShutOutOfCourse,
  type CourseFacts,
  type JourneyPrivacy,
  type LearnerFacts,
  type Level,
  type SetScopes,
} from '#server/access/can.ts';
import { isActive, isPublicServant, type Viewer } from '#server/access/viewer.ts';
import type { CourseAccessRow, JourneyStatus } from './learner.rows.ts';

export type WayIn = (typeof WAYS_IN)[number];

/** What a learner holds in a journey, whatever has become of it. */
export type Enrolment = { id: string; status: JourneyStatus; expiresOn: Date | null; completedAt: Date | null };

export type JourneyAccess = {
  key: string;
  id: string;
  slug: string;
  title: LocalizedText;
  privacy: JourneyPrivacy;
  isWithdrawn: boolean;
  /** The token of the session leaves the course out. */
  isShutOut: boolean;
  /** In the catalogue as this viewer sees it. */
  isVisible: boolean;
  enrolment: Enrolment | null;
  /** What the viewer may do in its lessons. */
  level: Level;
  /** May take a place now; false for who has one. */
  canEnrol: boolean;
  wayIn: WayIn;
  /** The lesson the place named, unless it is withdrawn. */
  lesson: { key: string; id: string; slug: string; isFirst: boolean } | null;
};

export type CourseAccess = CourseFacts & {
  id: string;
  title: LocalizedText;
  humanTranslation: boolean;
  isWithdrawn: boolean;
  isVisible: boolean;
  /** Every journey, hidden and withdrawn ones too: ask `isKnown` before one is shown. */
  journeys: JourneyAccess[];
};

/** Is there anything here for this viewer: a place in the catalogue, or a record of their own? */
export function isKnown(journey: JourneyAccess): boolean {
  return journey.isVisible || journey.enrolment !== null;
}

export function isCourseKnown(course: CourseAccess): boolean {
  return course.isVisible || course.journeys.some(({ enrolment }) => enrolment !== null);
}

/** The first lesson of an open journey can be read by everybody who sees it. */
export function isPreview(journey: Pick<JourneyAccess, 'privacy' | 'isVisible'>, isFirstLesson: boolean): boolean {
  return isFirstLesson && journey.isVisible && journey.privacy === 'open-public';
}

/** The journeys whose lessons this viewer may read, as keys, and those of which only the first lesson. */
export function readableJourneys({ isWithdrawn, journeys }: CourseAccess): { whole: string[]; firstOnly: string[] } {
  const open = isWithdrawn ? [] : journeys.filter((journey) => isKnown(journey) && !journey.isWithdrawn);
  const whole = open.filter(({ level }) => level >= BASIC);
  const firstOnly = open.filter((journey) => journey.level < BASIC && isPreview(journey, true));
  return { whole: whole.map(({ key }) => key), firstOnly: firstOnly.map(({ key }) => key) };
}

function holds(row: CourseAccessRow): LearnerFacts {
  return { granted: row.is_granted, enrolled: row.enrolment_id !== null && row.status === 'enrolled' };
}

/** The row as a stranger has it: without grant and enrolment. */
function withoutHolds(row: CourseAccessRow): CourseAccessRow {
  return { ...row, is_granted: false, enrolment_id: null, expires_on: null, completed_at: null };
}

/** The facts of one course as they concern one viewer; undefined when there is no such course. */
export function toCourseAccess(viewer: Viewer, found: CourseAccessRow[]): CourseAccess | undefined {
  const first = found[0];
  if (!first) return undefined;
  const rows = isShutOutOfCourse(viewer, first.course_slug) ? found.map(withoutHolds) : found;
  const facts: CourseFacts = {
    slug: first.course_slug,
    type: first.type,
    canView: first.can_view,
    canJoin: first.can_join,
  };
  const learner: LearnerFacts = {
    granted: rows.some((row) => holds(row).granted),
    enrolled: rows.some((row) => holds(row).enrolled),
  };
  const set = { ...facts, isSet: first.is_course_set };
  const journeys = rows.flatMap((row) => (row.journey_key === null ? [] : [toJourney(viewer, set, learner, row)]));
  const isCourseVisible = !first.is_course_withdrawn && canSeeCourse(viewer, facts, learner);
  return {
    ...facts,
    id: first.course_id,
    title: first.course_title,
    humanTranslation: first.human_translation,
    isWithdrawn: first.is_course_withdrawn,
    isVisible: isCourseVisible || journeys.some((journey) => journey.isVisible),
    journeys,
  };
}

function scopesOfJourney(row: CourseAccessRow): SetScopes | null {
  const { journey_can_view: canView, journey_can_join: canJoin, is_journey_set: isSet } = row;
  return canView === null || canJoin === null ? null : { canView, canJoin, isSet };
}

function toJourney(
  viewer: Viewer,
  ofCourse: CourseFacts & SetScopes,
  inCourse: LearnerFacts,
  row: CourseAccessRow,
): JourneyAccess {
  const course = factsOfJourney(ofCourse, scopesOfJourney(row));
  const own = holds(row);
  // A hold on one journey opens its course, and with it the course's public journeys, but no other private one.
  const seeing: LearnerFacts = row.privacy.endsWith('-public')
    ? { granted: own.granted, enrolled: inCourse.enrolled || inCourse.granted }
    : own;
  const isWithdrawn = row.is_course_withdrawn || row.is_journey_withdrawn;
  const mayEnrol =
    !isWithdrawn &&
    !own.enrolled &&
    canEnrol(viewer, course, row.privacy, seeing) &&
    // A session whose token leaves this course out could do nothing with the place.
    courseLevel(viewer, course, { ...own, enrolled: true }) >= BASIC;
  return {
    key: row.journey_key ?? '',
    id: row.journey_id,
    slug: row.journey_slug,
    title: row.journey_title,
    privacy: row.privacy,
    isWithdrawn,
    isShutOut: isShutOutOfCourse(viewer, course.slug),
    isVisible: !isWithdrawn && canSeeJourney(viewer, course, row.privacy, seeing),
    enrolment:
      row.enrolment_id === null
        ? null
        : { id: row.enrolment_id, status: row.status, expiresOn: row.expires_on, completedAt: row.completed_at },
    level: courseLevel(viewer, course, own),
    canEnrol: mayEnrol,
    wayIn: mayEnrol ? 'open' : wayInto(viewer, course, row.privacy),
    lesson:
      row.lesson_key === null
        ? null
        : { key: row.lesson_key, id: row.lesson_id, slug: row.lesson_slug, isFirst: row.is_first_lesson },
  };
}

/** How somebody gets in for whom it is not simply open. */
function wayInto(viewer: Viewer, course: CourseFacts, privacy: JourneyPrivacy): WayIn {
  if (privacy.startsWith('stripe-')) return 'payment';
  if (!privacy.startsWith('open-') || course.canJoin === 'private') return 'invitation';
  if (isShutOutOfCourse(viewer, course.slug)) return 'invitation';
  if (!isActive(viewer)) return 'sign-in';
  if (course.canJoin === 'verified' && !isPublicServant(viewer)) return 'verification';
  return admits(course.canJoin, viewer, false) ? 'open' : 'invitation';
}
