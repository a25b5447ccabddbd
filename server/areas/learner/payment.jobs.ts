import { defineJob } from '#server/jobs/define.ts';
import { checkPayments } from './payment-event.service.ts';

/** Asks Stripe about payments of which no event has arrived. */
export const checkPaymentsJob = defineJob('learner.check-payments', { cron: '* * * * *', inTurn: true }, checkPayments);
