import { loadJobTasksJob } from '../areas/ai/job-task.jobs.ts';
import { makeExportJob } from '../areas/account/export.jobs.ts';
import { removePicturesJob } from '../areas/account/picture.jobs.ts';
import { foldFiguresJob } from '../areas/admin/figure.jobs.ts';
import { resendInvitationsJob } from '../areas/admin/resend.jobs.ts';
import { undoUploadJob } from '../areas/admin/undo.jobs.ts';
import { placeChunkJob } from '../areas/admin/upload.jobs.ts';
import { noteErasureJob } from '../areas/auth/erasure.jobs.ts';
import { runImportJob } from '../areas/content/folder-import.jobs.ts';
import { expireRecordsJob, settleRecordsJob } from '../areas/enrolment/enrolment.service.ts';
import {
  mailDigestsJob,
  mailWaitingJob,
  tellDueDatesJob,
  tellOutcomesJob,
} from '../areas/notifications/notification.jobs.ts';
import { sendMailJob, sendMailsJob } from '../mail/outbox.ts';
import { chainAuditJob } from './chain-audit.ts';
import type { Job } from './define.ts';
import { foldTalliesJob } from './fold-tallies.ts';
import { nightlyChecksJob } from './nightly-checks.ts';
import { removeFilesJob } from './remove-files.ts';
import { sweepJob } from './sweep.ts';

/** Every kind of job there is. */
// Data types differ; each job is only ever given what `enqueue` typed for it.
export const JOBS: readonly Job<never>[] = [
  sendMailJob,
  sendMailsJob,
  sweepJob,
  removeFilesJob,
  noteErasureJob,
  removePicturesJob,
  makeExportJob,
  runImportJob,
  settleRecordsJob,
  expireRecordsJob,
  placeChunkJob,
  undoUploadJob,
  resendInvitationsJob,
  loadJobTasksJob,
  mailWaitingJob,
  mailDigestsJob,
  tellOutcomesJob,
  tellDueDatesJob,
  foldFiguresJob,
  foldTalliesJob,
  chainAuditJob,
  nightlyChecksJob,
];
