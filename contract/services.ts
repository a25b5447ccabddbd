import type { z } from 'zod';
import * as account from './account.ts';
import * as admin from './admin.ts';
import * as adminPeople from './admin-people.ts';
import * as ai from './ai.ts';
import * as answers from './answers.ts';
import * as approvalReview from './approval-review.ts';
import * as articlePictures from './article-pictures.ts';
import * as assessments from './assessments.ts';
import * as assets from './assets.ts';
import * as audit from './audit.ts';
import * as auth from './auth.ts';
import * as authoring from './authoring.ts';
import * as cohortLifecycle from './cohort-lifecycle.ts';
import * as cohortReminders from './cohort-reminders.ts';
import * as cohortSettings from './cohort-settings.ts';
import * as cohorts from './cohorts.ts';
import * as common from './common.ts';
import * as community from './community.ts';
import * as communitySettings from './community-settings.ts';
import * as content from './content.ts';
import * as courseReports from './course-reports.ts';
import * as decisions from './decisions.ts';
import * as contentChecks from './content-checks.ts';
import * as contentFolder from './content-folder.ts';
import * as editorials from './editorials.ts';
import * as enrolment from './enrolment.ts';
import * as evaluationResults from './evaluation-results.ts';
import * as evaluations from './evaluations.ts';
import * as events from './events.ts';
import * as extraTime from './extra-time.ts';
import * as figures from './figures.ts';
import * as follows from './follows.ts';
import * as marking from './marking.ts';
import * as issuedCertificates from './issued-certificates.ts';
import * as jobTasks from './job-tasks.ts';
import * as learner from './learner.ts';
import * as lessonDiscussions from './lesson-discussions.ts';
import * as lessonShares from './lesson-shares.ts';
import * as mediaLibrary from './media-library.ts';
import * as moderation from './moderation.ts';
import * as moderationOffice from './moderation-office.ts';
import * as notifications from './notifications.ts';
import * as operations from './operations.ts';
import * as payments from './payments.ts';
import * as people from './people.ts';
import * as periodReports from './period-reports.ts';
import * as peopleRecords from './people-records.ts';
import * as personalData from './personal-data.ts';
import * as pieceUploads from './piece-uploads.ts';
import * as polls from './polls.ts';
import * as postPictures from './post-pictures.ts';
import * as productAccess from './product-access.ts';
import * as providerSignIn from './provider-sign-in.ts';
import * as push from './push.ts';
import * as questionFiles from './question-files.ts';
import * as questionStatistics from './question-statistics.ts';
import * as secondFactor from './second-factor.ts';
import * as ranks from './ranks.ts';
import * as renewals from './renewals.ts';
import * as roles from './roles.ts';
import * as search from './search.ts';
import * as shares from './shares.ts';
import * as site from './site.ts';
import * as siteNotices from './site-notices.ts';
import * as siteSettings from './site-settings.ts';
import * as siteSetup from './site-setup.ts';
import * as demoContent from './demo-content.ts';
import * as transcripts from './transcripts.ts';
import * as translation from './translation.ts';
import * as wholeExports from './whole-exports.ts';
import { isEndpoint, type Endpoint } from './endpoint.ts';

const modules = {
  account,
  ai,
  admin,
  answers,
  approvalReview,
  articlePictures,
  adminPeople,
  assessments,
  assets,
  audit,
  auth,
  authoring,
  cohortLifecycle,
  cohortReminders,
  cohortSettings,
  cohorts,
  community,
  communitySettings,
  content,
  courseReports,
  decisions,
  contentChecks,
  contentFolder,
  evaluationResults,
  evaluations,
  issuedCertificates,
  extraTime,
  marking,
  mediaLibrary,
  questionFiles,
  questionStatistics,
  editorials,
  enrolment,
  events,
  figures,
  follows,
  jobTasks,
  learner,
  lessonDiscussions,
  lessonShares,
  moderation,
  moderationOffice,
  notifications,
  operations,
  payments,
  people,
  peopleRecords,
  periodReports,
  personalData,
  pieceUploads,
  polls,
  postPictures,
  productAccess,
  providerSignIn,
  push,
  ranks,
  renewals,
  roles,
  search,
  secondFactor,
  shares,
  site,
  siteNotices,
  siteSettings,
  siteSetup,
  demoContent,
  transcripts,
  translation,
  wholeExports,
};

/** Every operation, for the API documentation and for checks over the whole contract. */
export const ENDPOINTS: readonly Endpoint[] = Object.values(modules).flatMap((module) =>
  Object.values(module as Record<string, unknown>).filter(isEndpoint),
);

type Schema = z.core.$ZodType;

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null && '_zod' in value;

/** Every exported schema, for the API documentation. Equal names are told apart by their module. */
export const SCHEMAS: readonly { module: string; name: string; schema: Schema }[] = Object.entries({
  common,
  ...modules,
}).flatMap(([module, values]) =>
  Object.entries(values as Record<string, unknown>).flatMap(([name, schema]) =>
    isSchema(schema) ? [{ module, name, schema }] : [],
  ),
);
