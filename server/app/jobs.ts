import { makeWholeExportJob } from '#server/areas/archive/whole-export.jobs.ts';
import { loadJobTasksJob } from '#server/areas/ai/job-task.jobs.ts';
import { makeExportJob } from '#server/areas/account/export.jobs.ts';
import { removePicturesJob } from '#server/areas/account/picture.jobs.ts';
import { foldFiguresJob } from '#server/areas/admin/figure.jobs.ts';
import { countAllMonthsJob, countRecentMonthsJob } from '#server/areas/admin/learning-month.jobs.ts';
import { remindLearnersJob } from '#server/areas/admin/reminder.jobs.ts';
import { resendInvitationsJob } from '#server/areas/admin/resend.jobs.ts';
import { deleteCohortJob } from '#server/areas/admin/cohort-deletion.jobs.ts';
import { assignProductsJob, endDetachedJob, enrolJoinersJob } from '#server/areas/admin/assignment.jobs.ts';
import { undoUploadJob } from '#server/areas/admin/undo.jobs.ts';
import { placeChunkJob } from '#server/areas/admin/upload.jobs.ts';
import { noteErasureJob } from '#server/areas/auth/erasure.jobs.ts';
import { notifyPromotedJob, notifySessionStartsJob } from '#server/areas/events/seat.jobs.ts';
import { fetchEntryJob } from '#server/areas/importing/fetch-entry.jobs.ts';
import { reconcileJob } from '#server/areas/importing/reconcile.jobs.ts';
import { runImportJob } from '#server/areas/importing/folder-import.jobs.ts';
import { expireRecordsJob, settleRecordsJob } from '#server/areas/enrolment/enrolment.service.ts';
import { endAttemptsJob } from '#server/areas/learner/attempt.jobs.ts';
import { checkPaymentsJob } from '#server/areas/learner/payment.jobs.ts';
import {
  mailDigestsJob,
  mailWaitingJob,
  notifyDueDatesJob,
  notifyFollowersJob,
  notifyPollOutcomesJob,
} from '#server/areas/notifications/notification.jobs.ts';
import { pushJob, pushWaitingJob } from '#server/areas/notifications/push.jobs.ts';
import { removeDemoJob } from '#server/demo/removal.ts';
import { sendMailJob, sendMailsJob } from '#server/mail/outbox.ts';
import { chainAuditJob } from '#server/integrity/chain-audit.ts';
import type { Job } from '#server/jobs/define.ts';
import { foldTalliesJob } from '#server/jobs/fold-tallies.ts';
import { nightlyChecksJob } from '#server/integrity/nightly-checks.ts';
import { removeFilesJob } from '#server/jobs/remove-files.ts';
import { sweepJob } from './sweep.ts';

/** All jobs. */
// Data types differ; each job is only ever given what `enqueue` typed for it.
export const JOBS: readonly Job<never>[] = [
  sendMailJob,
  sendMailsJob,
  sweepJob,
  removeFilesJob,
  noteErasureJob,
  removePicturesJob,
  makeExportJob,
  makeWholeExportJob,
  runImportJob,
  fetchEntryJob,
  reconcileJob,
  settleRecordsJob,
  expireRecordsJob,
  placeChunkJob,
  undoUploadJob,
  assignProductsJob,
  enrolJoinersJob,
  endDetachedJob,
  deleteCohortJob,
  remindLearnersJob,
  resendInvitationsJob,
  loadJobTasksJob,
  mailWaitingJob,
  mailDigestsJob,
  notifyPollOutcomesJob,
  notifyDueDatesJob,
  notifyFollowersJob,
  pushWaitingJob,
  pushJob,
  notifyPromotedJob,
  notifySessionStartsJob,
  endAttemptsJob,
  checkPaymentsJob,
  removeDemoJob,
  countAllMonthsJob,
  countRecentMonthsJob,
  foldFiguresJob,
  foldTalliesJob,
  chainAuditJob,
  nightlyChecksJob,
];
