import { auditLog, sessions } from '../access/personal-data.ts';
import { connections, dataExports, profileImages } from '../areas/account/personal-data.ts';
import { cohortInvitations, cohortMembers, cohortUploadRows } from '../areas/admin/personal-data.ts';
import { aiMessages, aiThreads } from '../areas/ai/personal-data.ts';
import { challenges, passwordHistory, users } from '../areas/auth/personal-data.ts';
import {
  activities,
  activityPeople,
  communityMembers,
  pollVotes,
  reactions,
} from '../areas/community/personal-data.ts';
import { academyMembers, articles, communityOwnerClaims } from '../areas/content/personal-data.ts';
import { bulkEnrolments, referrals } from '../areas/enrolment/personal-data.ts';
import { certificates, journeyEnrolments, lessonCompletions } from '../areas/learner/personal-data.ts';
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
  articles,
  academyMembers,
  cohortMembers,
  cohortInvitations,
  cohortUploadRows,
  certificates,
  lessonCompletions,
  journeyEnrolments,
  bulkEnrolments,
  referrals,
  aiMessages,
  aiThreads,
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
  article_shares: 'which post shared which article; both are declared',
  bodies: 'content',
  cohort_products: 'what a group is let into',
  cohort_uploads: 'when a list was brought; its addresses are declared',
  cohorts: 'a group, described by administrators',
  communities: 'content',
  community_categories: 'counts',
  content_assets: 'content',
  courses: 'content',
  entries: 'content',
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
  platform_assets: 'content',
  poll_options: 'a part of its poll, exported with it',
  polls: 'the rules of a poll, which is declared as an activity',
  products: 'content',
  search_documents: 'the texts of other tables, kept with them by triggers',
  sections: 'content',
};
