import { defineJob } from '#server/jobs/define.ts';
import { endOverdueAttempts } from './attempt.service.ts';

/** Ends attempts at assessments whose time is up. */
export const endAttemptsJob = defineJob(
  'learner.end-attempts',
  { cron: '* * * * *', inTurn: true },
  endOverdueAttempts,
);
