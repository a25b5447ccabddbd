import type { Cohort } from '@officium/contract/admin';
import type { previewCohortDeletion } from '@officium/contract/cohort-lifecycle';
import { COHORT_NAME_DIFFERS } from '@officium/contract/cohorts';
import type { ReplyOf } from '@officium/contract/endpoint';
import type { z } from 'zod';
import { recordAction } from '#server/audit/audit.ts';
import type { UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { inTransaction } from '#server/db/client.ts';
import { invalid, notFound } from '#server/errors.ts';
import { countSelfEnrolments } from '#server/areas/learner/grant.service.ts';
import { assignProductsJob } from './assignment.jobs.ts';
import { deleteCohortJob } from './cohort-deletion.jobs.ts';
import * as repository from './cohort-lifecycle.repository.ts';
import { getSettings } from './cohort-settings.repository.ts';
import { admitInvited, readCohortById } from './cohort.service.ts';
import { findCohortProductIds } from './product.repository.ts';
import { lockPlacingAlone } from './undo.repository.ts';

type CohortView = z.output<typeof Cohort>;
type Change = { id: string; requestId: string };

export async function renameCohortOf(
  ctx: Ctx,
  viewer: UserViewer,
  { id, requestId, name }: Change & { name: string },
): Promise<CohortView> {
  return await inTransaction(ctx.db, async (trx) => {
    const renamed = await repository.renameRow(trx, id, name);
    if (!renamed) throw notFound();
    const detail = { former: renamed.former, renamed: name };
    if (renamed.former !== name)
      await recordAction(trx, viewer, { action: 'admin.rename-cohort', object: id, detail, requestId });
    return await readCohortById(trx, id);
  });
}

/** Archives a cohort: it is not listed and takes no new people. */
export async function archiveCohortOf(ctx: Ctx, viewer: UserViewer, { id, requestId }: Change): Promise<CohortView> {
  return await inTransaction(ctx.db, async (trx) => {
    await lockPlacingAlone(trx); // so that nobody is being placed
    if (await repository.setArchived(trx, id, true))
      await recordAction(trx, viewer, { action: 'admin.archive-cohort', object: id, requestId });
    return await readCohortById(trx, id);
  });
}

/** Reopens an archived cohort and admits those who have proven their address since they were invited. */
export async function reopenCohortOf(ctx: Ctx, viewer: UserViewer, { id, requestId }: Change): Promise<CohortView> {
  return await inTransaction(ctx.db, async (trx) => {
    await lockPlacingAlone(trx);
    if (await repository.setArchived(trx, id, false)) {
      const added = await admitInvited(trx, id);
      // Enrols members whom the archived cohort did not enrol.
      const entryIds = await findCohortProductIds(trx, id);
      if ((await getSettings(trx, id))?.enrolsAtOnce)
        await ctx.jobs.enqueue(trx, assignProductsJob, { cohortId: id, entryIds, after: null });
      const detail = { added };
      await recordAction(trx, viewer, { action: 'admin.reopen-cohort', object: id, detail, requestId });
    }
    return await readCohortById(trx, id);
  });
}

export async function previewDeletion(ctx: Ctx, id: string): Promise<ReplyOf<typeof previewCohortDeletion>> {
  const deletion = await repository.getDeletion(ctx.db, id);
  if (!deletion) throw notFound();
  return { ...deletion, enrolments: await countSelfEnrolments(ctx.db, id) };
}

/** Hides a cohort and ends its access at once. A job removes the rest in batches. */
export async function deleteCohortOf(
  ctx: Ctx,
  viewer: UserViewer,
  { id, requestId, name }: Change & { name: string },
): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    // A part of an upload that is being placed finishes first; later parts see the deletion.
    await lockPlacingAlone(trx);
    const former = await repository.lockName(trx, id);
    if (former === undefined) throw notFound();
    if (former.trim() !== name.trim()) throw invalid('name', COHORT_NAME_DIFFERS);
    const lost = await repository.getDeletion(trx, id);
    const entryIds = await repository.markDeleted(trx, id);
    await ctx.jobs.enqueue(trx, deleteCohortJob, { cohortId: id, entryIds });
    const detail = { former, members: lost?.members, invitations: lost?.invitations, products: entryIds.length };
    await recordAction(trx, viewer, { action: 'admin.delete-cohort', object: id, detail, requestId });
  });
}
