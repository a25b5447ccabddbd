import { sessions } from '#server/access/personal-data.ts';
import { auditLog } from '#server/audit/personal-data.ts';
import { connections, dataExports, profileImages } from '#server/areas/account/personal-data.ts';
import {
  cohortCrowds,
  cohortDrafts,
  cohortInvitations,
  cohortMembers,
  cohortUploadRows,
  figureChanges,
  personFigures,
  roleAssignments,
} from '#server/areas/admin/personal-data.ts';
import { aiCalls, aiMessages, aiPersonTokens, aiThreads } from '#server/areas/ai/personal-data.ts';
import {
  challenges,
  passkeyChallenges,
  passkeys,
  passwordHistory,
  providerIdentities,
  recoveryCodes,
  totpFactors,
  users,
} from '#server/areas/auth/personal-data.ts';
import {
  activities,
  activityPeople,
  communityMembers,
  communityTurns,
  pollVotes,
  reactions,
} from '#server/areas/community/personal-data.ts';
import { wholeExports } from '#server/areas/archive/personal-data.ts';
import { articles } from '#server/areas/articles/personal-data.ts';
import { contentPieces, contentVersions } from '#server/areas/authoring/personal-data.ts';
import { academyMembers, courseContacts } from '#server/areas/catalogue/personal-data.ts';
import { communityOwnerClaims, contentImports } from '#server/areas/importing/personal-data.ts';
import { machineTranslations } from '#server/areas/translations/personal-data.ts';
import { bulkEnrolments, referrals } from '#server/areas/enrolment/personal-data.ts';
import { eventFeeds, eventRegistrations } from '#server/areas/events/personal-data.ts';
import { certificateFiles, certificates } from '#server/areas/certificates/personal-data.ts';
import {
  journeyEnrolments,
  lessonCompletions,
  assessmentAttempts,
  microcourseCompletions,
  payments,
} from '#server/areas/learner/personal-data.ts';
import {
  contentReports,
  moderationClaims,
  moderationDecisions,
  moderationHeldLikes,
} from '#server/areas/moderation/personal-data.ts';
import {
  follows,
  notificationClaims,
  notificationPreferences,
  notifications,
  notificationSettings,
} from '#server/areas/notifications/personal-data.ts';
import { autoApprovals } from '#server/areas/people/personal-data.ts';
import { idempotencyKeys } from '#server/http/personal-data.ts';
import { rateLimits } from '#server/limits/personal-data.ts';
import { mails } from '#server/mail/personal-data.ts';
import type { PersonalTable } from '#server/personal-data/define.ts';

/**
 * All tables with personal data, in the order of erasure: communities first, as in every statement that changes members
 * and their counter, and the account last.
 */
export const PERSONAL_TABLES: readonly PersonalTable[] = [
  communityMembers,
  communityOwnerClaims,
  activities,
  activityPeople,
  reactions,
  pollVotes,
  contentReports,
  moderationDecisions,
  moderationClaims,
  moderationHeldLikes,
  communityTurns,
  articles,
  contentImports,
  contentPieces,
  contentVersions,
  machineTranslations,
  courseContacts,
  academyMembers,
  roleAssignments,
  cohortCrowds,
  cohortMembers,
  cohortInvitations,
  cohortUploadRows,
  cohortDrafts,
  eventRegistrations,
  eventFeeds,
  certificateFiles,
  certificates,
  lessonCompletions,
  assessmentAttempts,
  microcourseCompletions,
  payments,
  journeyEnrolments,
  figureChanges,
  personFigures,
  bulkEnrolments,
  referrals,
  aiMessages,
  aiThreads,
  aiCalls,
  aiPersonTokens,
  connections,
  profileImages,
  dataExports,
  wholeExports,
  follows,
  notifications,
  notificationPreferences,
  notificationSettings,
  notificationClaims,
  mails,
  autoApprovals,
  challenges,
  passwordHistory,
  passkeyChallenges,
  passkeys,
  providerIdentities,
  recoveryCodes,
  totpFactors,
  sessions,
  rateLimits,
  idempotencyKeys,
  auditLog,
  users,
];

/** All other tables, with the reason why they hold nothing about people. */
export const IMPERSONAL_TABLES: Readonly<Record<string, string>> = {
  academies: 'content',
  academy_courses: 'content',
  ai_tokens: 'sums',
  article_shares: 'links posts to shared articles; both are declared',
  discussion_shares: 'links posts to shared lesson discussions; both are declared',
  bodies: 'content',
  cohort_products: 'the products of a group',
  cohort_resends: 'the progress of sending invitations again',
  cohort_uploads: 'the time of an upload; its addresses are declared',
  cohorts: 'a group, described by administrators',
  communities: 'content',
  activity_counts: 'counts',
  follow_news: 'new texts whose followers are not notified yet; the texts are declared',
  community_settings: 'rules of a community',
  content_assets: 'content',
  content_events: 'webhook events about content',
  courses: 'content',
  credential_keys: 'public keys',
  credential_statuses: 'numbers of revoked certificates; the certificates name their holders',
  editorial_items: 'content',
  editorials: 'content',
  entries: 'content',
  event_sessions: 'content',
  events: 'content',
  fetched_entries: 'versions of content',
  feed_snapshots: 'orders of posts',
  former_slugs: 'former addresses of pages',
  content_reconciliation: 'counts of content',
  job_occupations: 'published statistics',
  job_postings: 'published statistics',
  job_spellings: 'published statistics',
  job_statements: 'published statistics',
  job_task_load: 'published statistics',
  job_words: 'published statistics',
  journeys: 'content',
  lessons: 'content',
  microcourses: 'content',
  function_files: 'the schema',
  migrations: 'the schema',
  outside_pictures: 'pictures of other hosts, for a week, under hashed addresses',
  passage_sets: 'content',
  passages: 'content',
  payment_events: 'ids of events that were applied',
  platform_assets: 'content',
  poll_options: 'a part of its poll, exported with it',
  polls: 'the rules of a poll, which is declared as an activity',
  products: 'content',
  nightly_checks: 'results of internal checks',
  sweeps: 'numbers of overdue rows',
  provider_attempts: 'started sign-ins, before the user is known',
  search_documents: 'the texts of other tables, kept with them by triggers',
  sections: 'content',
  site_page_versions: 'texts of the site',
  site_versions: 'name, texts and colour of the site',
  tallies: 'counts',
  tally_changes: 'counts that are not folded yet',
  week_figures: 'counts',
};
