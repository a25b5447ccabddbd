import { inTransaction } from '#server/db/client.ts';
import { defineJob } from '#server/jobs/define.ts';
import { lockPlacing } from './member.repository.ts';
import { placePeople } from './placing.service.ts';
import { lockUpload, lockWaiting, updateOutcomes, type Chunk } from './upload.repository.ts';

/** A thousand parts take 85 seconds, which leaves most of a two-core machine to other work. */
const PACE_MS = 85;

/**
 * Places one part of an upload in a single transaction. A killed worker leaves nothing behind, and a finished part is
 * skipped.
 */
export const placeChunkJob = defineJob<Chunk>(
  'admin.place-upload-chunk',
  { retryLimit: 40, retryDelayMaxSeconds: 60, inTurn: true, paceMs: PACE_MS },
  async (ctx, chunk) => {
    await inTransaction(ctx.db, async (trx) => {
      // Lock order as in erasure: this lock first, then rows of uploads.
      await lockPlacing(trx);
      const upload = await lockUpload(trx, chunk.uploadId);
      const emails = upload && !upload.is_undone ? await lockWaiting(trx, chunk) : [];
      if (!upload || emails.length === 0) return;
      const { cohort_id: cohortId, locale, partner, support, words } = upload;
      const { uploadId, mailsAfterSeconds } = chunk;
      const placing = { cohortId, uploadId, byHand: false, locale, partner, support, words, mailsAfterSeconds };
      const placed = await placePeople(ctx, trx, placing, emails);
      await updateOutcomes(trx, chunk, emails, placed);
    });
  },
);
