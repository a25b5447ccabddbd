import { HOURS_BETWEEN_REMINDERS, type remindLearners } from '@officium/contract/cohort-reminders';
import type { InputOf, ReplyOf } from '@officium/contract/endpoint';
import type { UserViewer } from '#server/access/viewer.ts';
import { recordAction } from '#server/audit/audit.ts';
import type { Ctx } from '#server/ctx.ts';
import { inTransaction } from '#server/db/client.ts';
import { notFound } from '#server/errors.ts';
import { requireOpenCohort } from './cohort.service.ts';
import { findJourneys } from './progress.repository.ts';
import { remindLearnersJob } from './reminder.jobs.ts';
import { countReminded, insertReminder } from './reminder.repository.ts';

/** Reminds members who have not completed a journey. Nobody is late before the due date. */
export async function remindOf(
  ctx: Ctx,
  viewer: UserViewer,
  { id: cohortId, journeyId }: InputOf<typeof remindLearners>['params'],
  { state, userIds, words = '' }: InputOf<typeof remindLearners>['body'],
  requestId: string,
): Promise<ReplyOf<typeof remindLearners>> {
  return await inTransaction(ctx.db, async (trx) => {
    await requireOpenCohort(trx, cohortId);
    const [journey] = await findJourneys(trx, cohortId, journeyId);
    if (!journey) throw notFound();
    const whom = { cohortId, journeyKey: journey.key, state, userIds: userIds ?? null };
    const isNobody = state === 'late' && !journey.is_over;
    const counts = isNobody ? { people: 0, skipped: 0 } : await countReminded(trx, whom, HOURS_BETWEEN_REMINDERS);
    const reminderId =
      counts.people > 0 ? await insertReminder(trx, { cohortId, journeyKey: journey.key, words }) : undefined;
    if (reminderId !== undefined) await ctx.jobs.enqueue(trx, remindLearnersJob, { ...whom, reminderId, after: null });
    const detail = {
      journeyKey: journey.key,
      ...(state ? { state } : {}),
      ...(reminderId === undefined ? {} : { reminderId }),
      ...counts,
    };
    await recordAction(trx, viewer, { action: 'admin.remind-learners', object: cohortId, detail, requestId });
    return counts;
  });
}
