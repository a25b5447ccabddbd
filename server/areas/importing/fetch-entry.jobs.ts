import type { Ctx } from '#server/ctx.ts';
import type { Db } from '#server/db/client.ts';
import { defineJob } from '#server/jobs/define.ts';
import { openDelivery } from './delivery.service.ts';
import { fetchEntry } from './fetch.service.ts';

/** Retried for about an hour, which covers maintenance of the platform and stale caches. */
export const fetchEntryJob = defineJob<{ entryId: string }>(
  'content.fetch-entry',
  { inTurn: true, retryLimit: 14, retryDelaySeconds: 2, retryDelayMaxSeconds: 600 },
  async (ctx, { entryId }) => {
    const { contentPlatform } = ctx.config;
    if (contentPlatform) await fetchEntry(ctx, openDelivery(contentPlatform), entryId);
  },
);

/** Enqueues the fetch of an entry in the transaction of its event; false when no platform is configured. */
export async function enqueueFetch(ctx: Ctx, db: Db, entryId: string): Promise<boolean> {
  if (!ctx.config.contentPlatform) return false;
  await ctx.jobs.enqueue(db, fetchEntryJob, { entryId });
  return true;
}
