import type { Ctx } from '#server/ctx.ts';
import { defineJob } from '#server/jobs/define.ts';
import { countMonth, findMonths, hasCounted } from './learning-month.repository.ts';

async function countMonths(ctx: Ctx, latest: number | null): Promise<void> {
  for (const month of await findMonths(ctx.db, latest)) await countMonth(ctx.db, month);
}

/** Counts this month and the last one; all of them while nothing is counted, as after the demo was loaded. */
export const countRecentMonthsJob = defineJob('admin.count-recent-months', { cron: '*/20 * * * *' }, async (ctx) => {
  await countMonths(ctx, (await hasCounted(ctx.db)) ? 2 : null);
});

/** Counts all months again: records of earlier ones may have been imported, changed or erased. */
export const countAllMonthsJob = defineJob('admin.count-all-months', { cron: '41 2 * * *' }, async (ctx) => {
  await countMonths(ctx, null);
});
