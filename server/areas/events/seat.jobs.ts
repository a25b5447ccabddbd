import { notifyPromoted, notifySessionStarts } from '#server/areas/catalogue/seat.repository.ts';
import { inTransaction } from '#server/db/client.ts';
import { defineJob } from '#server/jobs/define.ts';

/** Notifies those whose seat an erased account left. All other promotions are notified at once. */
export const notifyPromotedJob = defineJob('events.notify-promoted', { cron: '* * * * *' }, async ({ db }) => {
  await inTransaction(db, (trx) => notifyPromoted(trx));
});

export const notifySessionStartsJob = defineJob('events.notify-starts', { cron: '*/5 * * * *' }, async ({ db }) => {
  await notifySessionStarts(db);
});
