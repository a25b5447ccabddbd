import type { Readable } from 'node:stream';
import { requireRecentSignIn } from '#server/access/recent.ts';
import type { UserViewer } from '#server/access/viewer.ts';
import { getUser, lockUser } from '#server/areas/auth/user.service.ts';
import type { Ctx } from '#server/ctx.ts';
import { inTransaction } from '#server/db/client.ts';
import { AppError, notFound } from '#server/errors.ts';
import { removeFilesJob } from '#server/jobs/remove-files.ts';
import { storageTimeout } from '#server/outside/files.ts';
import { makeExportJob } from './export.jobs.ts';
import { exportKey } from './export.policy.ts';
import * as repository from './export.repository.ts';
import type { ExportRow } from './export.repository.ts';

const MAX_A_DAY = 3;

/** Queues an export of the user's personal data, or returns the pending one. */
export async function requestExport(ctx: Ctx, viewer: UserViewer): Promise<ExportRow> {
  requireRecentSignIn(viewer);
  return await inTransaction(ctx.db, async (trx) => {
    const user = await lockUser(trx, viewer.id);
    if (!user) throw notFound();
    const pending = (await repository.findExports(trx, user.id)).find(({ status }) => status === 'pending');
    if (pending) return pending;
    const { made, waitSeconds } = await repository.countOfDay(trx, user.id);
    if (ctx.config.rateLimits && made >= MAX_A_DAY)
      throw new AppError('request.too_many', { retryAfterSeconds: waitSeconds });
    const row = await repository.insertExport(trx, { userId: user.id, locale: user.locale });
    await ctx.jobs.enqueue(trx, makeExportJob, { exportId: row.id });
    return row;
  });
}

export async function listExports(ctx: Ctx, viewer: UserViewer): Promise<ExportRow[]> {
  return await repository.findExports(ctx.db, viewer.id);
}

export async function readExport(ctx: Ctx, viewer: UserViewer, id: string): Promise<ExportRow> {
  const row = await repository.getExport(ctx.db, { userId: viewer.id, id });
  if (!row) throw notFound();
  return row;
}

/** Opens the file of an export. Reloads the account, because a cached session is not enough for this much data. */
export async function openExport(
  ctx: Ctx,
  viewer: UserViewer,
  id: string,
): Promise<{ content: Readable; bytes: number; createdAt: Date }> {
  requireRecentSignIn(viewer);
  const row = await readExport(ctx, viewer, id);
  if (!(await getUser(ctx.db, viewer.id))) throw notFound();
  if (row.status !== 'ready' || row.bytes === null) throw new AppError('account.export_not_ready');
  const key = exportKey(id);
  const signal = storageTimeout();
  if (!(await ctx.files.exists(key, signal))) throw notFound(); // the database was restored without the files
  return { content: await ctx.files.stream(key, signal), bytes: row.bytes, createdAt: row.created_at };
}

/** Deletes expired exports and fails stale ones. */
export async function sweepExports(ctx: Ctx): Promise<void> {
  await repository.failStale(ctx.db);
  await inTransaction(ctx.db, async (trx) => {
    const keys = (await repository.deleteExpired(trx)).map(exportKey);
    if (keys.length > 0) await ctx.jobs.enqueue(trx, removeFilesJob, { keys });
  });
}
