import { readDatabaseTime } from '#server/db/client.ts';
import { defineJob } from '#server/jobs/define.ts';
import { notifyFollowers } from './follower.repository.ts';
import { mailDigests, mailPending } from './mail.service.ts';
import {
  notifyCertificateEnds,
  notifyDueDays,
  notifyEnrolmentEnds,
  notifyEvaluations,
  notifyPollOutcomes,
} from './reminder.repository.ts';

export const mailWaitingJob = defineJob('notifications.mail-waiting', { cron: '* * * * *' }, mailPending);

/** Four times an hour: some time zones have offsets of a part of an hour, and a worker may have been down. */
export const mailDigestsJob = defineJob('notifications.mail-digests', { cron: '*/15 * * * *' }, async (ctx) => {
  await mailDigests(ctx, await readDatabaseTime(ctx.db));
});

export const notifyPollOutcomesJob = defineJob('notifications.tell-outcomes', { cron: '* * * * *' }, async (ctx) => {
  await notifyPollOutcomes(ctx.db);
});

export const notifyDueDatesJob = defineJob('notifications.tell-due-dates', { cron: '23 * * * *' }, async (ctx) => {
  await notifyEnrolmentEnds(ctx.db);
  await notifyDueDays(ctx.db);
  await notifyCertificateEnds(ctx.db);
  await notifyEvaluations(ctx.db);
});

export const notifyFollowersJob = defineJob('notifications.tell-followers', { cron: '* * * * *' }, async (ctx) => {
  await notifyFollowers(ctx.db);
});
