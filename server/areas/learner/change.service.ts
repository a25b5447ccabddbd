import type { UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { AppError } from '#server/errors.ts';
import { markSeen } from './change.repository.ts';
import { journeyAccess, requireOpenRecords } from './course-access.service.ts';
import type { JourneySlugs } from './enrolment.service.ts';

/** Marks the changes of a finished journey as seen by the viewer, up to a revision. */
export async function seeChanges(
  ctx: Ctx,
  actor: UserViewer,
  { courseSlug, journeySlug, revision }: JourneySlugs & { revision: number },
): Promise<void> {
  const ref = { by: 'slug', course: courseSlug, journey: journeySlug } as const;
  const { course, journey } = await journeyAccess(ctx.db, actor, ref);
  requireOpenRecords(actor, course);
  if (!journey.enrolment) throw new AppError('learner.not_enrolled');
  await markSeen(ctx.db, { userId: actor.id, journeyKey: journey.key, revision });
}
