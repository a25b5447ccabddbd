import type { Readable } from 'node:stream';
import { requireRecentSignIn } from '#server/access/recent.ts';
import type { UserViewer } from '#server/access/viewer.ts';
import { getUser, lockUser } from '#server/areas/auth/user.service.ts';
import { recordAction } from '#server/audit/audit.ts';
import type { Ctx } from '#server/ctx.ts';
import { inTransaction } from '#server/db/client.ts';
import { AppError, notFound } from '#server/errors.ts';
import { removeFilesJob } from '#server/jobs/remove-files.ts';
import { storageTimeout } from '#server/outside/files.ts';
import { makeWholeExportJob } from './whole-export.jobs.ts';
import { wholeExportKey } from './whole-export.policy.ts';
import * as repository from './whole-export.repository.ts';
import type { WholeExportRow } from './whole-export.repository.ts';

/** Queues an export of everything, or returns the pending one of this administrator. */
export async function requestWholeExport(ctx: Ctx, viewer: UserViewer): Promise<WholeExportRow> {
  requireRecentSignIn(viewer);
  return await inTransaction(ctx.db, async (trx) => {
    if (!(await lockUser(trx, viewer.id))) throw notFound();
    const exports = await repository.findWholeExports(trx, viewer.id);
    const pending = exports.find(({ status }) => status === 'pending');
    if (pending) return pending;
    const row = await repository.insertWholeExport(trx, viewer.id);
    await ctx.jobs.enqueue(trx, makeWholeExportJob, { exportId: row.id });
    await recordAction(trx, viewer, { action: 'archive.request-export', object: row.id });
    return row;
  });
}

export async function listWholeExports(ctx: Ctx, viewer: UserViewer): Promise<WholeExportRow[]> {
  return await repository.findWholeExports(ctx.db, viewer.id);
}

/** Opens the file of an export. Reloads the account, because a cached session is not enough for this much data. */
export async function openWholeExport(
  ctx: Ctx,
  viewer: UserViewer,
  id: string,
): Promise<{ content: Readable; bytes: number; createdAt: Date }> {
  requireRecentSignIn(viewer);
  const row = (await repository.findWholeExports(ctx.db, viewer.id)).find((one) => one.id === id);
  if (!row || (await getUser(ctx.db, viewer.id))?.role !== 'administrator') throw notFound();
  if (row.status !== 'ready' || row.bytes === null) throw new AppError('account.export_not_ready');
  const key = wholeExportKey(id);
  const signal = storageTimeout();
  if (!(await ctx.files.exists(key, signal))) throw notFound(); // the database was restored without the files
  await recordAction(ctx.db, viewer, { action: 'archive.download-export', object: id });
  return { content: await ctx.files.stream(key, signal), bytes: row.bytes, createdAt: row.created_at };
}

/** Deletes expired exports and fails stale ones. */
export async function sweepWholeExports(ctx: Ctx): Promise<void> {
  await repository.failStale(ctx.db);
  await inTransaction(ctx.db, async (trx) => {
    const keys = (await repository.deleteExpired(trx)).map(wholeExportKey);
    if (keys.length > 0) await ctx.jobs.enqueue(trx, removeFilesJob, { keys });
  });
}
