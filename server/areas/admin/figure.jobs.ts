import { defineJob } from '#server/jobs/define.ts';
import { foldFigures } from './figure.repository.ts';

/** Keeps the list of pending changes short. Figures are correct without it, but slower to read. */
export const foldFiguresJob = defineJob('admin.fold-figures', { cron: '*/2 * * * *' }, async (ctx) => {
  await foldFigures(ctx.db);
});
