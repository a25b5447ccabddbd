import { HOURS_BETWEEN_REMINDERS } from '@officium/contract/cohort-reminders';
import { inTransaction } from '#server/db/client.ts';
import { defineJob, type Job } from '#server/jobs/define.ts';
import { notify } from '#server/notify/notify.ts';
import { claimReminders, findReminded, hasReminder, type Reminded } from './reminder.repository.ts';

const PEOPLE_AT_ONCE = 500;

type Part = Reminded & { reminderId: string; after: string | null };

/**
 * Reminds people of a journey, a batch at a time. The next batch is enqueued in the transaction of the one before, so
 * that nobody is reminded twice.
 */
export const remindLearnersJob: Job<Part> = defineJob<Part>(
  'admin.remind-learners',
  { retryLimit: 40, retryDelayMaxSeconds: 60 },
  async (ctx, part) => {
    const { reminderId, journeyKey, after } = part;
    await inTransaction(ctx.db, async (trx) => {
      if (!(await hasReminder(trx, reminderId))) return;
      const userIds = await findReminded(trx, part, { after, limit: PEOPLE_AT_ONCE });
      const last = userIds.at(-1);
      if (last === undefined) return;
      const claimed = await claimReminders(trx, { reminderId, journeyKey, userIds }, HOURS_BETWEEN_REMINDERS);
      await notify(
        trx,
        claimed.map((userId) => ({ userId, event: 'reminder', objectId: reminderId })),
      );
      if (userIds.length === PEOPLE_AT_ONCE) await ctx.jobs.enqueue(trx, remindLearnersJob, { ...part, after: last });
    });
  },
);
