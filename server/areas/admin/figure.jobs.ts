import { defineJob } from '#server/jobs/define.ts';
import { foldFigures } from './figure.repository.ts';

/** Keeps what is read beside the sums short. The figures are right without it, only slower to read. */
export const foldFiguresJob = defineJob('admin.fold-figures', { cron: '*/2 * * * *' }, async (ctx) => {
  await foldFigures(ctx.db);
});
