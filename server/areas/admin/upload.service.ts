import type { createUpload, listUploadAddresses, listUploads } from '@officium/contract/admin';
import type { InputOf, ReplyOf } from '@officium/contract/endpoint';
import { recordAction } from '#server/access/audit.ts';
import type { UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { inTransaction } from '#server/db/client.ts';
import { notFound } from '#server/errors.ts';
import { requireCohort } from './cohort.service.ts';
import { CHUNK_SIZE, MAILS_AFTER_SECONDS, placeChunkJob } from './upload.jobs.ts';
import { findAddresses, findUploads, hasUpload, insertUpload, insertUploadRows } from './upload.repository.ts';

/** Stores the distinct addresses and queues their parts, all or nothing. */
export async function startUpload(
  ctx: Ctx,
  actor: UserViewer,
  cohortId: string,
  { slug, emails }: InputOf<typeof createUpload>['body'],
  requestId: string,
): Promise<ReplyOf<typeof createUpload>> {
  // In order, so that parts of different uploads take their locks in the same one.
  const distinct = [...new Set(emails)].sort();
  return await inTransaction(ctx.db, async (trx) => {
    await requireCohort(trx, cohortId);
    const { id: uploadId, created_at } = await insertUpload(trx, { cohortId, slug, locale: actor.locale });
    await insertUploadRows(trx, uploadId, distinct);
    const chunks = Array.from({ length: Math.ceil(distinct.length / CHUNK_SIZE) }, (_, nth) => ({
      uploadId,
      first: nth * CHUNK_SIZE,
      last: (nth + 1) * CHUNK_SIZE - 1,
      ...(distinct.length > CHUNK_SIZE ? { mailsAfterSeconds: MAILS_AFTER_SECONDS } : {}),
    }));
    await ctx.jobs.enqueueAll(trx, placeChunkJob, chunks);
    await recordAction(trx, actor, {
      action: 'admin.upload-emails',
      object: cohortId,
      detail: { uploadId, slug, addresses: distinct.length },
      requestId,
    });
    return { uploadId, cohortId, createdAt: created_at.toISOString() };
  });
}

export async function listUploadsOf(
  ctx: Ctx,
  cohortId: string,
  page: InputOf<typeof listUploads>['query'],
): Promise<ReplyOf<typeof listUploads>> {
  await requireCohort(ctx.db, cohortId);
  const { rows, total } = await findUploads(ctx.db, { cohortId, ...page });
  return {
    uploads: rows.map(({ id, slug, created_at, total, waiting, ...outcomes }) => ({
      uploadId: id,
      slug,
      status: waiting > 0 ? 'processing' : 'done',
      createdAt: created_at.toISOString(),
      total,
      outcomes,
    })),
    total,
  };
}

/** What became of each address of an upload. */
export async function listAddressesOf(
  ctx: Ctx,
  place: { cohortId: string; uploadId: string },
  { outcome, limit, after }: InputOf<typeof listUploadAddresses>['query'],
): Promise<ReplyOf<typeof listUploadAddresses>> {
  if (!(await hasUpload(ctx.db, place))) throw notFound();
  const { rows, total } = await findAddresses(ctx.db, { uploadId: place.uploadId, outcome, from: after, limit });
  return { addresses: rows.map((row) => ({ ...row, position: row.position + 1 })), total };
}
