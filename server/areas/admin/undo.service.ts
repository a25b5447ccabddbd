import { COHORT_NAME_DIFFERS, UNDO_DAYS } from '@officium/contract/cohorts';
import { recordAction } from '#server/audit/audit.ts';
import type { UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { inTransaction } from '#server/db/client.ts';
import { AppError, invalid, notFound } from '#server/errors.ts';
import { undoUploadJob } from './undo.jobs.ts';
import { lockForUndo, markUndoStarted } from './undo.repository.ts';
import { readUploadOf } from './upload.service.ts';
import type { UploadView } from './upload.view.ts';

/** Starts undoing an upload. A repeated call returns its progress. */
export async function startUndo(
  ctx: Ctx,
  viewer: UserViewer,
  { cohortId, uploadId, name }: { cohortId: string; uploadId: string; name: string },
  requestId: string,
): Promise<UploadView> {
  return await inTransaction(ctx.db, async (trx) => {
    const upload = await lockForUndo(trx, { cohortId, uploadId, days: UNDO_DAYS });
    if (!upload) throw notFound();
    if (upload.is_started) return await readUploadOf(trx, { cohortId, uploadId });
    if (upload.name.trim() !== name.trim()) throw invalid('name', COHORT_NAME_DIFFERS);
    if (!upload.is_recent) throw new AppError('admin.undo_too_late');
    await markUndoStarted(trx, uploadId);
    await ctx.jobs.enqueue(trx, undoUploadJob, { uploadId });
    await recordAction(trx, viewer, {
      action: 'admin.undo-upload',
      object: cohortId,
      detail: { uploadId },
      requestId,
    });
    return await readUploadOf(trx, { cohortId, uploadId });
  });
}
