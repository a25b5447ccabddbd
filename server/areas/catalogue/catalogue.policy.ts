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

/** Checks whether the viewer may see an academy or microcourse. `granted`: a membership or another explicit grant. */
export function canSee(viewer: Viewer, { canView }: Pick<JourneyScopes, 'canView'>, granted: boolean): boolean {
  return !isLockedOut(viewer) && admits(canView, viewer, granted);
}

export function canJoinAcademy(viewer: Viewer, { canJoin }: Pick<JourneyScopes, 'canJoin'>, granted: boolean): boolean {
  return isActive(viewer) && (isAdministrator(viewer) || admits(canJoin, viewer, granted));
}

export type JourneyWithAccess = LearnerFacts & { privacy: JourneyPrivacy; scopes: SetScopes | null };

/**
 * Returns the journeys of a course that the viewer may see; undefined when they may not see the course. A grant or
 * enrolment in one journey also opens the course and its public journeys, but no other private one. A visible journey
 * makes its course visible.
 */
export function visibleJourneys<Journey extends JourneyWithAccess>(
  viewer: Viewer,
  course: CourseFacts & SetScopes,
  journeys: readonly Journey[],
): Journey[] | undefined {
  const inCourse: LearnerFacts = {
    granted: journeys.some((journey) => journey.granted),
    enrolled: journeys.some((journey) => journey.enrolled),
  };
  const seen = journeys.filter(({ privacy, scopes, ...own }) => {
    const facts = privacy.endsWith('-public') ? inCourse : own;
    return canSeeJourney(viewer, factsOfJourney(course, scopes), privacy, facts);
  });
  return seen.length > 0 || canSeeCourse(viewer, course, inCourse) ? seen : undefined;
}
