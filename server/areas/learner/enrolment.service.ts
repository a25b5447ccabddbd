import type { Locale } from '@officium/contract/common';
import { courseLevel, NONE, openCourseSlugs } from '#server/access/can.ts';
import { isActive, type UserViewer, type Viewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { AppError } from '#server/errors.ts';
import type { JourneyAccess } from './course-access.policy.ts';
import { courseAccess, journeyAccess } from './course-access.service.ts';
import { findEnrolments, findPlacesInForce, takePlace } from './enrolment.repository.ts';
import type { EnrolmentRow } from './learner.rows.ts';

export type JourneySlugs = { courseSlug: string; journeySlug: string };

/** Takes a place in a journey that is open to the person. Whoever has one keeps it as it is. */
export async function enrolMyself(
  ctx: Ctx,
  actor: UserViewer,
  { courseSlug, journeySlug, locale }: JourneySlugs & { locale: Locale },
): Promise<EnrolmentRow> {
  const place = { by: 'slug', course: courseSlug, journey: journeySlug } as const;
  const { journey } = await journeyAccess(ctx.db, actor, place);
  if (journey.enrolment?.status !== 'enrolled') {
    if (!journey.canEnrol) throw new AppError(refusalOf(journey));
    await takePlace(ctx.db, { userId: actor.id, journeyKey: journey.key, locale });
  }
  const [enrolment] = await findEnrolments(ctx.db, { ...ownPlaces(actor), journeyKey: journey.key });
  if (!enrolment) throw new AppError('request.conflict'); // withdrawn by somebody else at the same moment
  return enrolment;
}

function refusalOf({ enrolment }: JourneyAccess) {
  if (enrolment?.status === 'expired') return 'learner.enrolment_expired';
  return enrolment ? 'learner.enrolment_pending' : 'learner.cannot_enrol';
}

const ownPlaces = (actor: UserViewer) => ({ userId: actor.id, open: openCourseSlugs(actor) });

/** All of a person's places, newest first. */
export async function listMyEnrolments(ctx: Ctx, actor: UserViewer, courseSlug?: string): Promise<EnrolmentRow[]> {
  return await findEnrolments(ctx.db, { ...ownPlaces(actor), courseSlug });
}

/** A person's places in one course; 404 when the course is hidden from them and never had them. */
export async function listMyEnrolmentsOfCourse(
  ctx: Ctx,
  actor: UserViewer,
  courseSlug: string,
): Promise<EnrolmentRow[]> {
  const enrolments = await findEnrolments(ctx.db, { ...ownPlaces(actor), courseSlug });
  if (enrolments.length === 0) await courseAccess(ctx.db, actor, { by: 'slug', course: courseSlug });
  return enrolments;
}

/** A person's places, the one they were last active in first. */
export async function readMyLearning(ctx: Ctx, actor: UserViewer): Promise<EnrolmentRow[]> {
  const enrolments = await findEnrolments(ctx.db, ownPlaces(actor));
  return enrolments.sort((a, b) => b.last_activity_at.getTime() - a.last_activity_at.getTime());
}

/** The journeys whose lessons somebody may read because they have a place there; null: all. */
export async function readableJourneys(ctx: Ctx, viewer: Viewer): Promise<string[] | null> {
  if (!isActive(viewer)) return [];
  if (viewer.role === 'administrator' && openCourseSlugs(viewer) === null) return null;
  const places = await findPlacesInForce(ctx.db, viewer.id);
  const inForce = { granted: false, enrolled: true };
  return places.filter(({ course }) => courseLevel(viewer, course, inForce) > NONE).map(({ journeyKey }) => journeyKey);
}
