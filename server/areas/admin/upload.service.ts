import type { createUpload, listUploadAddresses, listUploads } from '@officium/contract/admin';
import type { InputOf, ReplyOf } from '@officium/contract/endpoint';
import { recordAction } from '#server/audit/audit.ts';
import { requireRecentSignIn } from '#server/access/recent.ts';
import type { UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { inTransaction, type Db } from '#server/db/client.ts';
import { notFound } from '#server/errors.ts';
import { noteAddressesRead, requireCohort, requireTakingCohort } from './cohort.service.ts';
import { placeChunkJob } from './upload.jobs.ts';
import { CHUNK_SIZE, mailsAfterSeconds } from './upload.policy.ts';
import { findAddresses, findUploads, getUploadState, insertUpload, insertUploadRows } from './upload.repository.ts';
import { toUpload, type UploadView } from './upload.view.ts';

/** A larger upload needs a recent sign-in. */
const MAX_UNCONFIRMED = 1_000;

/** Stores the distinct addresses and enqueues their parts, in one transaction. */
export async function startUpload(
  ctx: Ctx,
  viewer: UserViewer,
  cohortId: string,
  { slug, emails }: InputOf<typeof createUpload>['body'],
  requestId: string,
): Promise<ReplyOf<typeof createUpload>> {
  // Sorted, so that parts of different uploads take their locks in the same order.
  const distinct = [...new Set(emails)].sort();
  return await inTransaction(ctx.db, async (trx) => {
    await requireTakingCohort(trx, cohortId);
    return await queueUpload(ctx, trx, viewer, { cohortId, slug, emails: distinct }, requestId);
  });
}

/** Like `createUpload`, for distinct and sorted addresses, in the caller's transaction. */
export async function queueUpload(
  ctx: Ctx,
  db: Db,
  viewer: UserViewer,
  { cohortId, slug, emails }: { cohortId: string; slug: string; emails: string[] },
  requestId: string,
): Promise<ReplyOf<typeof createUpload>> {
  if (emails.length > MAX_UNCONFIRMED) requireRecentSignIn(viewer);
  const { id: uploadId, created_at } = await insertUpload(db, { cohortId, slug, locale: viewer.locale });
  await insertUploadRows(db, uploadId, emails);
  const chunks = Array.from({ length: Math.ceil(emails.length / CHUNK_SIZE) }, (_, nth) => ({
    uploadId,
    first: nth * CHUNK_SIZE,
    last: (nth + 1) * CHUNK_SIZE - 1,
    mailsAfterSeconds: mailsAfterSeconds(emails.length),
  }));
  await ctx.jobs.enqueueAll(db, placeChunkJob, chunks);
  const detail = { uploadId, slug, addresses: emails.length };
  await recordAction(db, viewer, { action: 'admin.upload-emails', object: cohortId, detail, requestId });
  return { uploadId, cohortId, createdAt: created_at.toISOString() };
}

export async function listUploadsOf(
  ctx: Ctx,
  cohortId: string,
  page: InputOf<typeof listUploads>['query'],
): Promise<ReplyOf<typeof listUploads>> {
  await requireCohort(ctx.db, cohortId);
  const { rows, total } = await findUploads(ctx.db, { cohortId, ...page });
  return { uploads: rows.map(toUpload), total };
}

export async function readUploadOf(db: Db, key: { cohortId: string; uploadId: string }): Promise<UploadView> {
  const row = await getUploadState(db, key);
  if (!row) throw notFound();
  return toUpload(row);
}

/** The outcome of each address of an upload. */
export async function listAddressesOf(
  ctx: Ctx,
  viewer: UserViewer,
  key: { cohortId: string; uploadId: string },
  { outcome, limit, after }: InputOf<typeof listUploadAddresses>['query'],
): Promise<ReplyOf<typeof listUploadAddresses>> {
  const upload = await getUploadState(ctx.db, key);
  if (!upload) throw notFound();
  const rows = await findAddresses(ctx.db, { uploadId: key.uploadId, outcome, from: after, limit });
  await noteAddressesRead(ctx, viewer, key.cohortId);
  return {
    addresses: rows.map((row) => ({ ...row, position: row.position + 1 })),
    total: outcome === undefined ? upload.total : upload[outcome],
  };
}
