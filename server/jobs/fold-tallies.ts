import { inTransaction } from '../db/client.ts';
import { foldTallies } from '../db/tallies.ts';
import { defineJob } from './define.ts';

/** Keeps what is read beside the sums short. The numbers are right without it, only slower to read. */
export const foldTalliesJob = defineJob('platform.fold-tallies', { cron: '* * * * *' }, async (ctx) => {
  await inTransaction(ctx.db, foldTallies);
});
