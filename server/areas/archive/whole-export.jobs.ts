import { PassThrough } from 'node:stream';
import type { Ctx } from '#server/ctx.ts';
import { defineJob } from '#server/jobs/define.ts';
import { allowLongTransaction } from './archive.repository.ts';
import { wholeExportKey } from './whole-export.policy.ts';
import { isPending, tryLock, updateReady } from './whole-export.repository.ts';

/** Creates the file of an export of everything. An export deleted meanwhile leaves no file. */
export const makeWholeExportJob = defineJob<{ exportId: string }>(
  'archive.make-whole-export',
  { inTurn: true },
  async (ctx, { exportId: id }) => {
    const key = wholeExportKey(id);
    const bytes = await ctx.db.transaction().execute(async (trx) => {
      await allowLongTransaction(trx);
      if (!(await tryLock(trx, id))) throw new Error('another worker is creating this export');
      return (await isPending(trx, id)) ? await store(ctx, key) : undefined;
    });
    if (bytes !== undefined && !(await updateReady(ctx.db, { id, bytes }))) await ctx.files.delete(key);
  },
);

/** Writes the archive into the file store and returns its size. */
async function store(ctx: Ctx, key: string): Promise<number> {
  const { exportAll } = await import('./export-all.service.ts');
  const out = new PassThrough();
  out.on('error', () => {}); // thrown by the two below
  // When one end fails the other is stopped with the same reason, and both are awaited.
  let reason: unknown;
  const fail = (error: unknown) => {
    reason ??= error;
    out.destroy(reason as Error); // any thrown value
    throw reason;
  };
  const ends = [ctx.files.putStream(key, out, 'application/zip').catch(fail), exportAll(ctx, out).catch(fail)] as const;
  await Promise.allSettled(ends);
  return (await Promise.all(ends))[1].bytes;
}
