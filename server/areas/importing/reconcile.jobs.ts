import type { Ctx } from '#server/ctx.ts';
import type { Db } from '#server/db/client.ts';
import { defineJob } from '#server/jobs/define.ts';
import { openDelivery } from './delivery.service.ts';
import { enqueueFetch } from './fetch-entry.jobs.ts';
import { reconcile } from './reconcile.service.ts';

/** Compares the changes of the last day every night, and everything on request of an administrator. */
export const reconcileJob = defineJob<{ everything?: boolean }>(
  'content.reconcile',
  { cron: '40 2 * * *', inTurn: true, retryLimit: 4, retryDelaySeconds: 60 },
  async (ctx, { everything = false }) => {
    const { contentPlatform } = ctx.config;
    if (contentPlatform)
      await reconcile(ctx, { delivery: openDelivery(contentPlatform), enqueueFetch }, { everything });
  },
);

export async function enqueueReconciliation(ctx: Ctx, db: Db): Promise<void> {
  await ctx.jobs.enqueue(db, reconcileJob, { everything: true }, { singletonKey: 'everything' });
}
