import type { Locale } from '@officium/contract/common';
import { courseLevel, NONE, openCourseSlugs } from '#server/access/can.ts';
import { isActive, isAdministrator, type UserViewer, type Viewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { AppError } from '#server/errors.ts';
import type { JourneyAccess } from './course-access.policy.ts';
import { courseAccess, journeyAccess } from './course-access.service.ts';
import { enrol, findEnrolments, findCurrentJourneys } from './enrolment.repository.ts';
import type { EnrolmentRow } from './learner.rows.ts';

export type JourneySlugs = { courseSlug: string; journeySlug: string };

/** Enrols the viewer in a journey that is open to them. An existing enrolment stays as it is. */
export async function enrolMyself(
  ctx: Ctx,
  actor: UserViewer,
  { courseSlug, journeySlug, locale }: JourneySlugs & { locale: Locale },
): Promise<EnrolmentRow> {
  const ref = { by: 'slug', course: courseSlug, journey: journeySlug } as const;
  const { journey } = await journeyAccess(ctx.db, actor, ref);
  if (journey.enrolment?.status !== 'enrolled') {
    if (!journey.canEnrol) throw new AppError(refusalOf(journey));
    await enrol(ctx.db, { userId: actor.id, journeyKey: journey.key, locale });
  }
  const [enrolment] = await findEnrolments(ctx.db, { ...ownEnrolments(actor), journeyKey: journey.key });
  if (!enrolment) throw new AppError('request.conflict'); // withdrawn concurrently
  return enrolment;
}

function refusalOf({ enrolment }: JourneyAccess) {
  if (enrolment?.status === 'expired') return 'learner.enrolment_expired';
  return enrolment ? 'learner.enrolment_pending' : 'learner.cannot_enrol';
}

const ownEnrolments = (actor: UserViewer) => ({ userId: actor.id, open: openCourseSlugs(actor) });

/** The viewer's enrolments, newest first. */
export async function listMyEnrolments(ctx: Ctx, actor: UserViewer, courseSlug?: string): Promise<EnrolmentRow[]> {
  return await findEnrolments(ctx.db, { ...ownEnrolments(actor), courseSlug });
}

/** The viewer's enrolments in one course. Throws 404 when it is hidden from a viewer without an enrolment in it. */
export async function listMyEnrolmentsOfCourse(
  ctx: Ctx,
  actor: UserViewer,
  courseSlug: string,
): Promise<EnrolmentRow[]> {
  const enrolments = await findEnrolments(ctx.db, { ...ownEnrolments(actor), courseSlug });
  if (enrolments.length === 0) await courseAccess(ctx.db, actor, { by: 'slug', course: courseSlug });
  return enrolments;
}

/** The viewer's enrolments, most recently active first. */
export async function readMyLearning(ctx: Ctx, actor: UserViewer): Promise<EnrolmentRow[]> {
  const enrolments = await findEnrolments(ctx.db, ownEnrolments(actor));
  return enrolments.sort((a, b) => b.last_activity_at.getTime() - a.last_activity_at.getTime());
}

/** Keys of the journeys whose lessons the viewer may read as a learner; null: all. */
export async function readableJourneys(ctx: Ctx, viewer: Viewer): Promise<string[] | null> {
  if (!isActive(viewer)) return [];
  if (isAdministrator(viewer) && openCourseSlugs(viewer) === null) return null;
  const journeys = await findCurrentJourneys(ctx.db, viewer.id);
  const learner = { granted: false, enrolled: true };
  return journeys
    .filter(({ course }) => courseLevel(viewer, course, learner) > NONE)
    .map(({ journeyKey }) => journeyKey);
}
