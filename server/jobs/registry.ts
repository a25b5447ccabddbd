import { loadJobTasksJob } from '../areas/ai/job-task.jobs.ts';
import { makeExportJob } from '../areas/account/export.jobs.ts';
import { removePicturesJob } from '../areas/account/picture.jobs.ts';
import { placeChunkJob } from '../areas/admin/upload.jobs.ts';
import { expireRecordsJob, settleRecordsJob } from '../areas/enrolment/enrolment.service.ts';
import {
  mailDigestsJob,
  mailWaitingJob,
  tellDueDatesJob,
  tellOutcomesJob,
} from '../areas/notifications/notification.jobs.ts';
import { sendMailJob } from '../mail/outbox.ts';
import type { Job } from './define.ts';
import { removeFilesJob } from './remove-files.ts';
import { sweepJob } from './sweep.ts';

/** Every kind of job there is. */
// Data types differ; each job is only ever given what `enqueue` typed for it.
export const JOBS: readonly Job<never>[] = [
  sendMailJob,
  sweepJob,
  removeFilesJob,
  removePicturesJob,
  makeExportJob,
  settleRecordsJob,
  expireRecordsJob,
  placeChunkJob,
  loadJobTasksJob,
  mailWaitingJob,
  mailDigestsJob,
  tellOutcomesJob,
  tellDueDatesJob,
];
