import type { LocalizedText } from '@officium/contract/common';
import type { WAYS_IN } from '@officium/contract/learner';
import { parsePrice, type Price } from '@officium/contract/price';
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

/** An enrolment of any status. */
export type Enrolment = { id: string; status: JourneyStatus; expiresOn: Date | null; completedAt: Date | null };

export type JourneyAccess = {
  key: string;
  id: string;
  slug: string;
  title: LocalizedText;
  privacy: JourneyPrivacy;
  isWithdrawn: boolean;
  /** The token of a narrowed session leaves the course out. */
  isShutOut: boolean;
  /** Listed in the catalogue for this viewer. */
  isVisible: boolean;
  enrolment: Enrolment | null;
  /** The viewer's level in its lessons. */
  level: Level;
  /** The viewer may enrol now; false when enrolled already. */
  canEnrol: boolean;
  wayIn: WayIn;
  /** The price of a paid journey, in the smallest unit of the currency. */
  price: Price | null;
  /** The viewer may buy it, where payments are taken. */
  canBuy: boolean;
  /** The lesson that was asked for, unless it is withdrawn. */
  lesson: { key: string; id: string; slug: string; isFirst: boolean } | null;
};

export type CourseAccess = CourseFacts & {
  id: string;
  title: LocalizedText;
  humanTranslation: boolean;
  isWithdrawn: boolean;
  isVisible: boolean;
  /** Every journey, hidden and withdrawn ones included: check `isKnown` before showing one. */
  journeys: JourneyAccess[];
};

/** True when the viewer sees the journey in the catalogue or has an enrolment in it. */
export function isKnown(journey: JourneyAccess): boolean {
  return journey.isVisible || journey.enrolment !== null;
}

export function isCourseKnown(course: CourseAccess): boolean {
  return course.isVisible || course.journeys.some(({ enrolment }) => enrolment !== null);
}

/** Everyone who sees an open journey may read its first lesson. */
export function isPreview(journey: Pick<JourneyAccess, 'privacy' | 'isVisible'>, isFirstLesson: boolean): boolean {
  return isFirstLesson && journey.isVisible && journey.privacy === 'open-public';
}

/** Keys of the journeys this viewer may read whole, and of those with a first lesson only. */
export function readableJourneys({ isWithdrawn, journeys }: CourseAccess): { whole: string[]; firstOnly: string[] } {
  const open = isWithdrawn ? [] : journeys.filter((journey) => isKnown(journey) && !journey.isWithdrawn);
  const whole = open.filter(({ level }) => level >= BASIC);
  const firstOnly = open.filter((journey) => journey.level < BASIC && isPreview(journey, true));
  return { whole: whole.map(({ key }) => key), firstOnly: firstOnly.map(({ key }) => key) };
}

function learnerFacts(row: CourseAccessRow): LearnerFacts {
  return { granted: row.is_granted, enrolled: row.enrolment_id !== null && row.status === 'enrolled' };
}

/** The row without grant and enrolment, as for a viewer who has neither. */
function withoutLearner(row: CourseAccessRow): CourseAccessRow {
  return { ...row, is_granted: false, enrolment_id: null, expires_on: null, completed_at: null };
}

/** One viewer's access to a course; undefined when the course does not exist. */
export function toCourseAccess(viewer: Viewer, found: CourseAccessRow[]): CourseAccess | undefined {
  const first = found[0];
  if (!first) return undefined;
  const rows = isShutOutOfCourse(viewer, first.course_slug) ? found.map(withoutLearner) : found;
  const facts: CourseFacts = {
    slug: first.course_slug,
    type: first.type,
    canView: first.can_view,
    canJoin: first.can_join,
  };
  const learner: LearnerFacts = {
    granted: rows.some((row) => learnerFacts(row).granted),
    enrolled: rows.some((row) => learnerFacts(row).enrolled),
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
  const own = learnerFacts(row);
  // A grant or enrolment in one journey opens the public journeys of its course, but no other private one.
  const visibility: LearnerFacts = row.privacy.endsWith('-public')
    ? { granted: own.granted, enrolled: inCourse.enrolled || inCourse.granted }
    : own;
  const isWithdrawn = row.is_course_withdrawn || row.is_journey_withdrawn;
  const isVisible = !isWithdrawn && canSeeJourney(viewer, course, row.privacy, visibility);
  // A session whose token leaves this course out could not use the enrolment.
  const couldUse = courseLevel(viewer, course, { ...own, enrolled: true }) >= BASIC;
  const mayEnrol = !isWithdrawn && !own.enrolled && canEnrol(viewer, course, row.privacy, visibility) && couldUse;
  const price = (row.price !== null && row.privacy.startsWith('stripe-') && parsePrice(row.price)) || null;
  return {
    key: row.journey_key ?? '',
    id: row.journey_id,
    slug: row.journey_slug,
    title: row.journey_title,
    privacy: row.privacy,
    isWithdrawn,
    isShutOut: isShutOutOfCourse(viewer, course.slug),
    isVisible,
    enrolment:
      row.enrolment_id === null
        ? null
        : { id: row.enrolment_id, status: row.status, expiresOn: row.expires_on, completedAt: row.completed_at },
    level: courseLevel(viewer, course, own),
    canEnrol: mayEnrol,
    wayIn: mayEnrol ? 'open' : wayInto(viewer, course, row.privacy),
    price,
    canBuy: price !== null && isVisible && couldUse && isActive(viewer) && !own.enrolled && !mayEnrol,
    lesson:
      row.lesson_key === null
        ? null
        : { key: row.lesson_key, id: row.lesson_id, slug: row.lesson_slug, isFirst: row.is_first_lesson },
  };
}

/** How a viewer gets into a journey they cannot enrol in directly. */
function wayInto(viewer: Viewer, course: CourseFacts, privacy: JourneyPrivacy): WayIn {
  if (privacy.startsWith('stripe-')) return 'payment';
  if (!privacy.startsWith('open-') || course.canJoin === 'private') return 'invitation';
  if (isShutOutOfCourse(viewer, course.slug)) return 'invitation';
  if (!isActive(viewer)) return 'sign-in';
  if (course.canJoin === 'verified' && !isPublicServant(viewer)) return 'verification';
  return admits(course.canJoin, viewer, false) ? 'open' : 'invitation';
}
