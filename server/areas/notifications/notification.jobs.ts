import { readDatabaseTime } from '#server/db/client.ts';
import { defineJob } from '#server/jobs/define.ts';
import { mailDigests, mailWaiting } from './mail.service.ts';
import { tellCourseDays, tellDueDates, tellOutcomes } from './once.repository.ts';

export const mailWaitingJob = defineJob('notifications.mail-waiting', { cron: '* * * * *' }, mailWaiting);

/** More than once an hour: some time zones differ by a part of one, and a worker may be away for a while. */
export const mailDigestsJob = defineJob('notifications.mail-digests', { cron: '*/15 * * * *' }, async (ctx) => {
  await mailDigests(ctx, await readDatabaseTime(ctx.db));
});

export const tellOutcomesJob = defineJob('notifications.tell-outcomes', { cron: '* * * * *' }, async (ctx) => {
  await tellOutcomes(ctx.db);
});

export const tellDueDatesJob = defineJob('notifications.tell-due-dates', { cron: '23 * * * *' }, async (ctx) => {
  await tellDueDates(ctx.db);
  await tellCourseDays(ctx.db);
});
