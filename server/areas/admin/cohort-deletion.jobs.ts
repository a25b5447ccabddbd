import { setTimeout } from 'node:timers/promises';
import { endGrantedPlaces } from '#server/areas/learner/grant.service.ts';
import type { Ctx } from '#server/ctx.ts';
import { inTransaction } from '#server/db/client.ts';
import { defineJob } from '#server/jobs/define.ts';
import { cancelMails } from '#server/mail/outbox.ts';
import * as repository from './cohort-lifecycle.repository.ts';
import { lockPlacingAlone } from './undo.repository.ts';

const ROWS_AT_ONCE = 100;
const UPLOAD_ROWS_AT_ONCE = 1000;
/** Pause between batches, longer than a batch takes, so that sign-ups and reads are not held up. */
const PACE_MS = 85;

type Deletion = { cohortId: string; entryIds: string[] };

/** Removes the next batch of a deleted cohort: invitations first, so that their mails stop. True when it is finished. */
async function removeBatch(ctx: Ctx, { cohortId, entryIds }: Deletion): Promise<boolean> {
  return await inTransaction(ctx.db, async (trx) => {
    await lockPlacingAlone(trx);
    const invitations = await repository.removeInvitations(trx, cohortId, ROWS_AT_ONCE);
    await cancelMails(trx, invitations);
    if (invitations.length > 0) return false;
    const userIds = await repository.removeMembers(trx, cohortId, ROWS_AT_ONCE);
    if (userIds.length > 0) {
      await endGrantedPlaces(trx, { cohortId, userIds, entryIds });
      return false;
    }
    if ((await repository.removeUploadRows(trx, cohortId, UPLOAD_ROWS_AT_ONCE)) > 0) return false;
    await repository.removeCohort(trx, cohortId);
    return true;
  });
}

/** Resumes after a killed worker. Does nothing when the cohort is gone. */
export const deleteCohortJob = defineJob<Deletion>(
  'admin.delete-cohort',
  { retryLimit: 40, retryDelayMaxSeconds: 60, inTurn: true },
  async (ctx, deletion) => {
    while (!(await removeBatch(ctx, deletion))) await setTimeout(PACE_MS);
  },
);
