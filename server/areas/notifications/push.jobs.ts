import { defineJob, type Job } from '#server/jobs/define.ts';
import { claimPushes, push } from './push.service.ts';

type Message = { notificationId: string; deviceId: string; /** The number of failed attempts. */ failed: number };

/** Minutes until the next attempt, then none: the notification stays on the site. */
const RETRY_MINUTES = [1, 5, 15, 60];

/**
 * Sends one notification to one device. A service that does not answer is asked again by a new job: its address was
 * chosen by a person, so its silence is no failure of ours that an operator could mend.
 */
export const pushJob: Job<Message> = defineJob(
  'notifications.push',
  { retryLimit: 5, retryDelaySeconds: 30 },
  async (ctx, { failed, ...message }) => {
    if ((await push(ctx, message)) === 'done') return;
    const minutes = RETRY_MINUTES[failed];
    if (minutes === undefined) return ctx.log.warn(message, 'push message given up');
    const startAfter = new Date(ctx.clock.now().getTime() + minutes * 60_000);
    await ctx.jobs.enqueue(ctx.db, pushJob, { ...message, failed: failed + 1 }, { startAfter });
  },
);

export const pushWaitingJob = defineJob('notifications.push-waiting', { cron: '* * * * *' }, async (ctx) => {
  await claimPushes(ctx, async (db, messages) => {
    await ctx.jobs.enqueueAll(
      db,
      pushJob,
      messages.map((message) => ({ ...message, failed: 0 })),
    );
  });
});
