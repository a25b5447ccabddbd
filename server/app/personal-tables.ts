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
import { articles } from '#server/areas/articles/personal-data.ts';
import { contentPieces, contentVersions } from '#server/areas/authoring/personal-data.ts';
import { academyMembers } from '#server/areas/catalogue/personal-data.ts';
import { communityOwnerClaims, contentImports } from '#server/areas/importing/personal-data.ts';
import { machineTranslations } from '#server/areas/translations/personal-data.ts';
import { bulkEnrolments, referrals } from '#server/areas/enrolment/personal-data.ts';
import { certificateFiles, certificates } from '#server/areas/certificates/personal-data.ts';
import { journeyEnrolments, lessonCompletions } from '#server/areas/learner/personal-data.ts';
import {
  contentReports,
  moderationClaims,
  moderationDecisions,
  moderationHeldLikes,
} from '#server/areas/moderation/personal-data.ts';
import {
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
 * Every table that holds something about people. They are erased in this order: communities first, as everything does
 * that changes members and their number, and the account itself last.
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
  academyMembers,
  cohortCrowds,
  cohortMembers,
  cohortInvitations,
  cohortUploadRows,
  cohortDrafts,
  certificateFiles,
  certificates,
  lessonCompletions,
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

/** Every other table, and why nothing in it is about a person. */
export const IMPERSONAL_TABLES: Readonly<Record<string, string>> = {
  academies: 'content',
  academy_courses: 'content',
  ai_tokens: 'sums',
  article_shares: 'which post shared which article; both are declared',
  bodies: 'content',
  cohort_products: 'what a group is let into',
  cohort_resends: 'how far sending invitations again is',
  cohort_uploads: 'when a list was brought; its addresses are declared',
  cohorts: 'a group, described by administrators',
  communities: 'content',
  activity_counts: 'counts',
  community_settings: 'rules of a community',
  content_assets: 'content',
  content_events: 'what was told of content',
  courses: 'content',
  credential_keys: 'public keys',
  credential_statuses: 'numbers of certificates that were withdrawn; whose they are stands with the certificates',
  entries: 'content',
  fetched_entries: 'versions of content',
  former_slugs: 'addresses that pages had',
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
  outside_pictures: 'pictures of other hosts, for a week, under names made of their addresses',
  passage_sets: 'content',
  passages: 'content',
  platform_assets: 'content',
  poll_options: 'a part of its poll, exported with it',
  polls: 'the rules of a poll, which is declared as an activity',
  products: 'content',
  nightly_checks: 'what the product found out about itself',
  sweeps: 'how many rows are due to be removed',
  provider_attempts: 'sign-ins that have begun; nobody is known yet',
  search_documents: 'the texts of other tables, kept with them by triggers',
  sections: 'content',
  tallies: 'counts',
  tally_changes: 'counts that are not added to the others yet',
  week_figures: 'counts',
};
