import type { readCohortSettings, updateCohortSettings } from '@officium/contract/cohort-settings';
import type { InputOf, ReplyOf } from '@officium/contract/endpoint';
import type { UserViewer } from '#server/access/viewer.ts';
import { recordAction } from '#server/audit/audit.ts';
import type { Ctx } from '#server/ctx.ts';
import { inTransaction, type Db } from '#server/db/client.ts';
import { notFound } from '#server/errors.ts';
import { assignProductsJob } from './assignment.jobs.ts';
import { lockCohort } from './cohort.repository.ts';
import { requireOpenCohort } from './cohort.service.ts';
import { findCohortProductIds } from './product.repository.ts';
import { getSettings, updateSettingsRow } from './cohort-settings.repository.ts';

export async function readSettings(db: Db, cohortId: string): Promise<ReplyOf<typeof readCohortSettings>> {
  const settings = await getSettings(db, cohortId);
  if (!settings) throw notFound();
  const { remindsOfDueDates, enrolsAtOnce } = settings;
  return { remindsOfDueDates, enrolsAtOnce };
}

/** Changes only the named settings. Switching enrolment on enrols the present members. */
export async function updateSettings(
  ctx: Ctx,
  viewer: UserViewer,
  cohortId: string,
  changes: InputOf<typeof updateCohortSettings>['body'],
  requestId: string,
): Promise<ReplyOf<typeof updateCohortSettings>> {
  return await inTransaction(ctx.db, async (trx) => {
    await lockCohort(trx, cohortId);
    const former = await readSettings(trx, cohortId);
    const isSwitchedOn = changes.enrolsAtOnce === true && !former.enrolsAtOnce;
    if (isSwitchedOn) await requireOpenCohort(trx, cohortId);
    await updateSettingsRow(trx, cohortId, changes);
    if (isSwitchedOn) {
      const entryIds = await findCohortProductIds(trx, cohortId);
      await ctx.jobs.enqueue(trx, assignProductsJob, { cohortId, entryIds, after: null });
    }
    await recordAction(trx, viewer, {
      action: 'admin.update-cohort-settings',
      object: cohortId,
      detail: changes,
      requestId,
    });
    return await readSettings(trx, cohortId);
  });
}
