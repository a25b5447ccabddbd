import { UNUSED_FILE_DAYS as days } from '@officium/contract/authoring';
import type { Ctx } from '#server/ctx.ts';
import { inTransaction } from '#server/db/client.ts';
import { noteOverdue } from '#server/jobs/sweep.ts';
import * as repository from './stored-file.repository.ts';
import type { IsUsed, StoredFile } from './stored-file.repository.ts';

const BATCH = 200;
const LONGEST_MS = 2 * 60_000;

/**
 * Registers a file or renews its age. Call it before looking whether the file is there, because the sweep may be about
 * to delete it.
 */
export async function registerFile({ lastingDb }: Pick<Ctx, 'lastingDb'>, file: StoredFile): Promise<void> {
  await repository.putStoredFile(lastingDb, file);
}

/** Deletes files that nothing has named for days. A file that cannot be deleted does not keep the others. */
export async function sweepStoredFiles(ctx: Ctx, isUsed: IsUsed): Promise<void> {
  const end = Date.now() + LONGEST_MS;
  const failures: unknown[] = [];
  for (let after = ''; Date.now() < end;) {
    const keys = await repository.findUnused(ctx.db, isUsed, { days, after, limit: BATCH });
    for (const key of keys) await removeUnused(ctx, key, isUsed).catch((error: unknown) => failures.push(error));
    after = keys.at(-1) ?? '';
    if (keys.length < BATCH) break;
  }
  await noteOverdue(ctx.db, 'stored_files', await repository.countUnused(ctx.db, isUsed, days));
  if (failures.length > 0) throw new AggregateError(failures, `files not deleted: ${failures.length}`);
}

/** The row stays locked until the file is gone, so that an upload of the same bytes stores it again. */
async function removeUnused(ctx: Ctx, key: string, isUsed: IsUsed): Promise<void> {
  await inTransaction(ctx.db, async (db) => {
    if (!(await repository.lockUnused(db, isUsed, { days, key }))) return;
    await ctx.files.delete(`content-assets/${key}`);
    await repository.deleteStoredFile(db, key);
  });
}
