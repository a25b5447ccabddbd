import * as account from './account.ts';
import * as admin from './admin.ts';
import * as adminPeople from './admin-people.ts';
import * as ai from './ai.ts';
import * as answers from './answers.ts';
import * as approvalReview from './approval-review.ts';
import * as assessments from './assessments.ts';
import * as assets from './assets.ts';
import * as audit from './audit.ts';
import * as auth from './auth.ts';
import * as authoring from './authoring.ts';
import * as cohortLifecycle from './cohort-lifecycle.ts';
import * as cohorts from './cohorts.ts';
import { createClient, fetchSend, type Client, type FetchOptions } from './client.ts';
import * as community from './community.ts';
import * as communitySettings from './community-settings.ts';
import * as content from './content.ts';
import * as courseReports from './course-reports.ts';
import * as decisions from './decisions.ts';
import * as contentChecks from './content-checks.ts';
import * as contentFolder from './content-folder.ts';
import * as editorials from './editorials.ts';
import * as enrolment from './enrolment.ts';
import * as events from './events.ts';
import * as figures from './figures.ts';
import * as jobTasks from './job-tasks.ts';
import * as follows from './follows.ts';
import * as learner from './learner.ts';
import * as lessonDiscussions from './lesson-discussions.ts';
import * as lessonShares from './lesson-shares.ts';
import * as moderation from './moderation.ts';
import * as moderationOffice from './moderation-office.ts';
import * as notifications from './notifications.ts';
import * as operations from './operations.ts';
import * as payments from './payments.ts';
import * as people from './people.ts';
import * as peopleRecords from './people-records.ts';
import * as personalData from './personal-data.ts';
import * as polls from './polls.ts';
import * as productAccess from './product-access.ts';
import * as providerSignIn from './provider-sign-in.ts';
import * as secondFactor from './second-factor.ts';
import * as ranks from './ranks.ts';
import * as roles from './roles.ts';
import * as search from './search.ts';
import * as shares from './shares.ts';
import * as transcripts from './transcripts.ts';
import * as site from './site.ts';
import * as siteSettings from './site-settings.ts';
import * as wholeExports from './whole-exports.ts';
import * as translation from './translation.ts';

export { ApiError, type ApiErrorBody } from './client.ts';

/** The modules that make up each service. */
const SERVICES = {
  account: { ...account, ...personalData },
  admin: {
    ...admin,
    ...adminPeople,
    ...audit,
    ...cohortLifecycle,
    ...cohorts,
    ...courseReports,
    ...wholeExports,
    ...figures,
    ...operations,
    ...productAccess,
    ...roles,
    ...siteSettings,
  },
  ai: { ...ai, ...jobTasks },
  assets,
  auth: { ...auth, ...providerSignIn, ...secondFactor },
  community: { ...community, ...communitySettings, ...polls, ...ranks, ...lessonDiscussions, ...lessonShares },
  content: {
    ...content,
    ...authoring,
    ...contentChecks,
    ...contentFolder,
    ...editorials,
    ...events,
    ...shares,
    ...site,
    ...translation,
  },
  enrolment,
  learner: { ...learner, ...answers, ...assessments, ...payments, ...transcripts },
  moderation: { ...moderation, ...decisions, ...moderationOffice },
  notifications: { ...notifications, ...follows },
  people: { ...people, ...peopleRecords, ...approvalReview },
  search,
};

/** Every operation of the API, grouped by service. */
export type Officium = { [S in keyof typeof SERVICES]: Client<(typeof SERVICES)[S]> };

/**
 * A client for the whole API. It keeps one session in memory, so create one for each user. A program that needs few
 * operations can use `createClient` with only the modules it uses.
 */
export function createOfficium(options: FetchOptions): Officium {
  const send = fetchSend(options);
  const clients = Object.entries(SERVICES).map(([service, module]) => [service, createClient(module, send)]);
  return Object.fromEntries(clients) as Officium; // one client per service, keyed by its name
}
