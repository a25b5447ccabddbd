import { auditLog, sessions } from '../access/personal-data.ts';
import { connections, dataExports, profileImages } from '../areas/account/personal-data.ts';
import {
  cohortDrafts,
  cohortInvitations,
  cohortMembers,
  cohortUploadRows,
  figureChanges,
  personFigures,
} from '../areas/admin/personal-data.ts';
import { aiCalls, aiMessages, aiPersonTokens, aiThreads } from '../areas/ai/personal-data.ts';
import {
  challenges,
  passkeyChallenges,
  passkeys,
  passwordHistory,
  providerIdentities,
  recoveryCodes,
  totpFactors,
  users,
} from '../areas/auth/personal-data.ts';
import {
  activities,
  activityPeople,
  communityMembers,
  communityTurns,
  pollVotes,
  reactions,
} from '../areas/community/personal-data.ts';
import {
  academyMembers,
  articles,
  communityOwnerClaims,
  contentImports,
  contentPieces,
  contentVersions,
  machineTranslations,
} from '../areas/content/personal-data.ts';
import { bulkEnrolments, referrals } from '../areas/enrolment/personal-data.ts';
import {
  certificateFiles,
  certificates,
  journeyEnrolments,
  lessonCompletions,
} from '../areas/learner/personal-data.ts';
import {
  contentReports,
  moderationClaims,
  moderationDecisions,
  moderationHeldLikes,
} from '../areas/moderation/personal-data.ts';
import {
  notificationClaims,
  notificationPreferences,
  notifications,
  notificationSettings,
} from '../areas/notifications/personal-data.ts';
import { autoApprovals } from '../areas/people/personal-data.ts';
import { idempotencyKeys, rateLimits } from '../http/personal-data.ts';
import { mails } from '../mail/personal-data.ts';
import type { PersonalTable } from './define.ts';

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
  community_categories: 'counts',
  community_settings: 'rules of a community',
  content_assets: 'content',
  content_events: 'what was told of content',
  courses: 'content',
  credential_keys: 'public keys',
  credential_statuses: 'numbers of certificates that were withdrawn; whose they are stands with the certificates',
  entries: 'content',
  feed_changes: 'that something was written, not what or by whom',
  job_occupations: 'published statistics',
  job_postings: 'published statistics',
  job_spellings: 'published statistics',
  job_statements: 'published statistics',
  job_task_load: 'published statistics',
  job_words: 'published statistics',
  journeys: 'content',
  lessons: 'content',
  microcourses: 'content',
  migrations: 'the schema',
  passage_sets: 'content',
  passages: 'content',
  platform_assets: 'content',
  poll_options: 'a part of its poll, exported with it',
  polls: 'the rules of a poll, which is declared as an activity',
  products: 'content',
  nightly_checks: 'what the product found out about itself',
  provider_attempts: 'sign-ins that have begun; nobody is known yet',
  search_documents: 'the texts of other tables, kept with them by triggers',
  sections: 'content',
  tallies: 'counts',
  tally_changes: 'counts that are not added to the others yet',
  week_figures: 'counts',
};
