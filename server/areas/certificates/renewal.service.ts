import type { UserViewer } from '#server/access/viewer.ts';
import { journeyAccess, requireEnrolment } from '#server/areas/learner/course-access.service.ts';
import { lockEnrolment } from '#server/areas/learner/enrolment.repository.ts';
import type { JourneySlugs } from '#server/areas/learner/enrolment.service.ts';
import type { Ctx } from '#server/ctx.ts';
import { inTransaction } from '#server/db/client.ts';
import { AppError, notFound } from '#server/errors.ts';
import { beginRenewal, hasMandatoryLessons } from '#server/areas/learner/renewal.repository.ts';
import { lockCurrent } from './renewal.repository.ts';

/**
 * Opens the viewer's journey again, so that its certificate can be renewed. Does nothing while a renewal is open. The
 * certificate stays as it is until the next one is issued.
 */
export async function renewCertificate(
  ctx: Ctx,
  viewer: UserViewer,
  { courseSlug, journeySlug }: JourneySlugs,
): Promise<void> {
  const slugs = { by: 'slug', course: courseSlug, journey: journeySlug } as const;
  const { journey } = await journeyAccess(ctx.db, viewer, slugs);
  if (journey.isWithdrawn) throw notFound();
  requireEnrolment(journey);
  const place = { userId: viewer.id, journeyKey: journey.key };
  await inTransaction(ctx.db, async (trx) => {
    const enrolment = await lockEnrolment(trx, place);
    if (!enrolment) throw new AppError('learner.not_enrolled');
    if (enrolment.status !== 'enrolled') throw new AppError('learner.enrolment_expired');
    if (enrolment.renewal_begun_at !== null) return;
    const current = await lockCurrent(trx, place);
    if (!current?.isRenewable || !(await hasMandatoryLessons(trx, journey.key)))
      throw new AppError('learner.cannot_renew');
    await beginRenewal(trx, place);
  });
}
