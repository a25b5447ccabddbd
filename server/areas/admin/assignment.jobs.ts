import { enrolMembers, notifyMembers } from '#server/areas/learner/cohort-enrolment.service.ts';
import { endDetachedPlaces } from '#server/areas/learner/grant.service.ts';
import { inTransaction } from '#server/db/client.ts';
import { defineJob, type Job } from '#server/jobs/define.ts';
import { findMemberIds, takeJoiners } from './assignment.repository.ts';
import { getSettings } from './cohort-settings.repository.ts';
import { lockPlacing } from './member.repository.ts';
import { findCohortProductIds } from './product.repository.ts';

const MEMBERS_AT_ONCE = 500;

type Part = { cohortId: string; entryIds: string[]; after: string | null };

/**
 * Enrols the members of a cohort in products attached to it, or notifies them, as the cohort is set, a batch at a time.
 * The next batch is enqueued in the transaction of the one before, so that nobody is notified twice. Placing is locked, so that
 * no upload is undone and no cohort archived meanwhile. Does nothing for an archived cohort.
 */
export const assignProductsJob: Job<Part> = defineJob<Part>(
  'admin.notify-assigned',
  { retryLimit: 40, retryDelayMaxSeconds: 60 },
  async (ctx, { cohortId, entryIds, after }) => {
    await inTransaction(ctx.db, async (trx) => {
      await lockPlacing(trx);
      const settings = await getSettings(trx, cohortId);
      const userIds = await findMemberIds(trx, { cohortId, after, limit: MEMBERS_AT_ONCE });
      const last = userIds.at(-1);
      if (!settings || settings.isArchived || last === undefined) return;
      await (settings.enrolsAtOnce ? enrolMembers : notifyMembers)(trx, { cohortId, entryIds, userIds });
      if (userIds.length === MEMBERS_AT_ONCE)
        await ctx.jobs.enqueue(trx, assignProductsJob, { cohortId, entryIds, after: last });
    });
  },
);

/** Ends enrolments that a cohort made in products detached from it, a batch at a time. */
export const endDetachedJob: Job<Part> = defineJob<Part>(
  'admin.end-detached',
  { retryLimit: 40, retryDelayMaxSeconds: 60 },
  async (ctx, part) => {
    await inTransaction(ctx.db, async (trx) => {
      const after = await endDetachedPlaces(trx, { ...part, limit: MEMBERS_AT_ONCE });
      if (after !== null) await ctx.jobs.enqueue(trx, endDetachedJob, { ...part, after });
    });
  },
);

/** Enrols people who joined cohorts that enrol at once, a batch in a transaction, until nobody is left. */
export const enrolJoinersJob = defineJob('admin.enrol-joiners', { cron: '* * * * *' }, async (ctx) => {
  let taken = MEMBERS_AT_ONCE;
  while (taken === MEMBERS_AT_ONCE)
    taken = await inTransaction(ctx.db, async (trx) => {
      await lockPlacing(trx);
      const joiners = await takeJoiners(trx, MEMBERS_AT_ONCE);
      for (const cohortId of new Set(joiners.map((joiner) => joiner.cohortId))) {
        const userIds = joiners.flatMap((joiner) => (joiner.cohortId === cohortId ? [joiner.userId] : []));
        const entryIds = await findCohortProductIds(trx, cohortId);
        if ((await getSettings(trx, cohortId))?.enrolsAtOnce) await enrolMembers(trx, { cohortId, entryIds, userIds });
      }
      return joiners.length;
    });
});
