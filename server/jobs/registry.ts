import { sendMailJob } from '../mail/outbox.ts';
import type { Job } from './define.ts';
import { sweepJob } from './sweep.ts';

/** Every kind of job there is. */
// Data types differ; each job is only ever given what `enqueue` typed for it.
export const JOBS: readonly Job<never>[] = [sendMailJob, sweepJob];
