import { inTransaction } from '#server/db/client.ts';
import { defineJob } from '#server/jobs/define.ts';
import { lockPlacing } from './member.repository.ts';
import { placePeople } from './placing.service.ts';
import { lockUpload, lockWaiting, updateOutcomes, type Chunk } from './upload.repository.ts';

/** Small parts, one after another: people who read meanwhile are to notice nothing. */
export const CHUNK_SIZE = 100;

/** A thousand parts take 85 seconds, which leaves them three quarters of the time on a machine with two cores. */
const PACE_MS = 85;

/** By then the largest upload is placed: sending mails meanwhile would take turns with it, and with those who read. */
export const MAILS_AFTER_SECONDS = 120;

/**
 * Places the people of one part of an upload, all or none of them. A worker that is killed leaves nothing; a part that
 * is done is passed over, however often it comes.
 */
export const placeChunkJob = defineJob<Chunk>(
  'admin.place-upload-chunk',
  { retryLimit: 40, retryDelayMaxSeconds: 60, inTurn: true, paceMs: PACE_MS },
  async (ctx, chunk) => {
    await inTransaction(ctx.db, async (trx) => {
      // Before any row: erasing a person takes this lock first, then their rows of uploads.
      await lockPlacing(trx);
      const upload = await lockUpload(trx, chunk.uploadId);
      const emails = upload && !upload.is_undone ? await lockWaiting(trx, chunk) : [];
      if (!upload || emails.length === 0) return;
      const { cohort_id: cohortId, locale, partner } = upload;
      const { uploadId, mailsAfterSeconds } = chunk;
      const placing = { cohortId, uploadId, byHand: false, locale, partner, mailsAfterSeconds };
      const placed = await placePeople(ctx, trx, placing, emails);
      await updateOutcomes(trx, chunk, emails, placed);
    });
  },
);
