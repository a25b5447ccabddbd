import type { Ctx } from '#server/ctx.ts';
import { type JobTaskFile, readJobTaskFile, unpackOccupations } from './job-task-file.format.ts';
import { getLoadedVersion, lockLoad, replaceOccupations } from './job-task-load.repository.ts';

/** Loads the statements of the data file unless they are current. */
export async function loadJobTasks(ctx: Ctx): Promise<void> {
  await loadFile(ctx, await readJobTaskFile());
}

/** Safe in several processes at once: only the first one loads. */
export async function loadFile(ctx: Ctx, { packed, version }: JobTaskFile): Promise<void> {
  if ((await getLoadedVersion(ctx.db)) === version) return;
  const occupations = await unpackOccupations(packed);
  await ctx.db.transaction().execute(async (trx) => {
    await lockLoad(trx);
    if ((await getLoadedVersion(trx)) !== version) await replaceOccupations(trx, occupations, version);
  });
}

/** True if the database has no statements or an old version. */
export async function isLoadDue(ctx: Ctx): Promise<boolean> {
  return (await getLoadedVersion(ctx.db)) !== (await readJobTaskFile()).version;
}
