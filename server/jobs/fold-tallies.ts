import { inTransaction } from '../db/client.ts';
import { foldTallies } from '../db/tallies.ts';
import { defineJob } from './define.ts';

/** Folds waiting changes into the sums, which keeps reads fast; the counts are correct without it. */
export const foldTalliesJob = defineJob('platform.fold-tallies', { cron: '* * * * *' }, async (ctx) => {
  await inTransaction(ctx.db, foldTallies);
});
