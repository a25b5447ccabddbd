import type { UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { AppError } from '#server/errors.ts';
import { markSeen } from './change.repository.ts';
import { journeyAccess, requireOpenRecords } from './course-access.service.ts';
import type { JourneySlugs } from './enrolment.service.ts';

/** Notes that a learner has been told what changed in a journey they finished, up to a revision of it. */
export async function seeChanges(
  ctx: Ctx,
  actor: UserViewer,
  { courseSlug, journeySlug, revision }: JourneySlugs & { revision: number },
): Promise<void> {
  const place = { by: 'slug', course: courseSlug, journey: journeySlug } as const;
  const { course, journey } = await journeyAccess(ctx.db, actor, place);
  requireOpenRecords(actor, course);
  if (!journey.enrolment) throw new AppError('learner.not_enrolled');
  await markSeen(ctx.db, { userId: actor.id, journeyKey: journey.key, revision });
}
