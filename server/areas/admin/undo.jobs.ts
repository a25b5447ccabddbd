import { setTimeout } from 'node:timers/promises';
import { endGrantedPlaces } from '#server/areas/learner/grant.service.ts';
import type { Ctx } from '#server/ctx.ts';
import { inTransaction, type Db } from '#server/db/client.ts';
import { defineJob } from '#server/jobs/define.ts';
import { cancelMails } from '#server/mail/outbox.ts';
import { findCohortProductIds } from './product.repository.ts';
import * as repository from './undo.repository.ts';
import type { Undone } from './upload.repository.ts';

const ROWS_AT_ONCE = 100;
/** Pause between batches, longer than a batch takes, so that sign-ups and reads are not held up. */
const PACE_MS = 85;

type Part = { cohortId: string; uploadId: string; emails?: string[] };

/**
 * Removes members and invitations of an upload, and enrolments that only the cohort granted. Returns the outcome by
 * address.
 */
async function removePlaced(db: Db, part: Part): Promise<Map<string, Undone>> {
  const members = await repository.removeMembers(db, part);
  const invitations = await repository.removeInvitations(db, part);
  await cancelMails(
    db,
    invitations.map(({ id }) => id),
  );
  const userIds = members.map(({ userId }) => userId);
  if (userIds.length > 0)
    await endGrantedPlaces(db, {
      cohortId: part.cohortId,
      userIds,
      entryIds: await findCohortProductIds(db, part.cohortId),
    });
  return new Map<string, Undone>([
    ...members.map(({ email }) => [email, 'removed'] as const),
    ...invitations.map(({ email }) => [email, 'withdrawn'] as const),
  ]);
}

/** Undoes the next batch of an upload in one transaction. True when it is finished. */
async function undoBatch(ctx: Ctx, uploadId: string): Promise<boolean> {
  return await inTransaction(ctx.db, async (trx) => {
    await repository.lockPlacingAlone(trx);
    const undo = await repository.lockUndo(trx, uploadId);
    if (!undo) return true;
    const { cohort_id: cohortId, undo_position: after } = undo;
    const rows = await repository.findRowsAfter(trx, { uploadId, after, limit: ROWS_AT_ONCE });
    const last = rows.at(-1);
    if (!last) {
      // Members whose address has changed since the upload.
      await removePlaced(trx, { cohortId, uploadId });
      await repository.markUndoFinished(trx, uploadId);
      return true;
    }
    const done = await removePlaced(trx, { cohortId, uploadId, emails: rows.map(({ email }) => email) });
    const undone = rows.map(({ position, email, is_placed }) => ({
      position,
      undone: done.get(email) ?? (is_placed ? ('kept' as const) : ('stopped' as const)),
    }));
    await repository.updateUndone(trx, { uploadId, rows: undone, last: last.position });
    return false;
  });
}

/** Resumes after a killed worker. Does nothing when the undo is finished. */
export const undoUploadJob = defineJob<{ uploadId: string }>(
  'admin.undo-upload',
  { retryLimit: 40, retryDelayMaxSeconds: 60, inTurn: true },
  async (ctx, { uploadId }) => {
    while (!(await undoBatch(ctx, uploadId))) await setTimeout(PACE_MS);
  },
);
