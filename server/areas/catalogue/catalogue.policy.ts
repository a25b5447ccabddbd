import {
  admits,
  canSeeCourse,
  canSeeJourney,
  factsOfJourney,
  type CourseFacts,
  type JourneyPrivacy,
  type LearnerFacts,
  type Scope,
  type SetScopes,
} from '#server/access/can.ts';
import { isActive, isAdministrator, isLockedOut, type Viewer } from '#server/access/viewer.ts';

export type JourneyScopes = { canView: Scope; canJoin: Scope };

/** May the viewer see an academy or microcourse? `granted`: a membership or another explicit grant. */
export function canSee(viewer: Viewer, { canView }: Pick<JourneyScopes, 'canView'>, granted: boolean): boolean {
  return !isLockedOut(viewer) && admits(canView, viewer, granted);
}

export function canJoinAcademy(viewer: Viewer, { canJoin }: Pick<JourneyScopes, 'canJoin'>, granted: boolean): boolean {
  return isActive(viewer) && (isAdministrator(viewer) || admits(canJoin, viewer, granted));
}

export type JourneyHold = LearnerFacts & { privacy: JourneyPrivacy; scopes: SetScopes | null };

/**
 * The journeys of a course that the viewer's catalogue shows; undefined when it does not show the course. A hold on one
 * journey opens its course, and with it the course's public journeys, but no other private one. A journey that the
 * viewer sees shows its course too.
 */
export function visibleJourneys<Journey extends JourneyHold>(
  viewer: Viewer,
  course: CourseFacts & SetScopes,
  journeys: readonly Journey[],
): Journey[] | undefined {
  const inCourse: LearnerFacts = {
    granted: journeys.some((journey) => journey.granted),
    enrolled: journeys.some((journey) => journey.enrolled),
  };
  const seen = journeys.filter(({ privacy, scopes, ...own }) => {
    const holds = privacy.endsWith('-public') ? inCourse : own;
    return canSeeJourney(viewer, factsOfJourney(course, scopes), privacy, holds);
  });
  return seen.length > 0 || canSeeCourse(viewer, course, inCourse) ? seen : undefined;
}
