import { ARTICLE_RECORDS } from './article-records.data.ts';
import { COHORT_RECORDS } from './cohort-records.data.ts';
import { COMMUNITY_RECORDS } from './community-records.data.ts';
import { CONTENT_RECORDS, STORED_FILES_RECORDS } from './content-records.data.ts';
import { COURSE_RECORDS } from './course-records.data.ts';
import { LEARNING_RECORDS } from './learning-records.data.ts';
import { MESSAGE_RECORDS } from './message-records.data.ts';
import { PEOPLE_RECORDS } from './people-records.data.ts';
import { SITE_RECORDS } from './site-records.data.ts';
import type { RecordKind } from './record.format.ts';

/** All records of an archive, in the order in which they are read back: a row comes after the rows it refers to. */
export const ARCHIVE_RECORDS: readonly RecordKind[] = [
  ...CONTENT_RECORDS,
  ...COURSE_RECORDS,
  ...PEOPLE_RECORDS,
  STORED_FILES_RECORDS,
  ...COHORT_RECORDS,
  ...COMMUNITY_RECORDS,
  ...ARTICLE_RECORDS,
  ...LEARNING_RECORDS,
  ...MESSAGE_RECORDS,
  ...SITE_RECORDS,
];

/** The tables that are in no archive, with the reason. */
export const LEFT_OUT_TABLES: Readonly<Record<string, string>> = {
  activity_counts: 'counters, which are rebuilt',
  ai_calls: 'the use of the language model today',
  ai_person_tokens: 'the use of the language model today',
  ai_tokens: 'the use of the language model today',
  challenges: 'secrets: codes and links that were sent',
  cohort_crowds: 'counters, which are rebuilt',
  cohort_drafts: 'an uploaded list that nobody has confirmed',
  cohort_joiners: 'new members whom a job is about to enrol',
  cohort_reminders: 'reminders that were sent, which count for a day',
  cohort_resends: 'the progress of a running job',
  community_turns: 'the waiting times of slow mode',
  content_events: 'the log of webhook events of the last month',
  content_imports: 'the log of imports; the ZIP of a waiting one is gone after a day',
  content_reconciliation: 'the position in the content platform’s list of changes; the next night compares everything',
  content_writers: 'who has a text open, for an hour',
  data_exports: 'exports of one person, which end after a week',
  demo_content: 'whether this installation loaded and removed the demo',
  event_feeds: 'secrets: addresses of calendars; people make a new one',
  feed_snapshots: 'a cache',
  figure_changes: 'counters, which are rebuilt',
  follow_news: 'notices that a job is about to send',
  function_files: 'the schema of the database',
  incoming_files: 'uploads that are arriving',
  resumable_uploads: 'uploads that are arriving',
  resumable_upload_parts: 'uploads that are arriving',
  idempotency_keys: 'replies to repeated requests, for a day',
  job_occupations: 'published statistics, which come with the product',
  job_postings: 'published statistics, which come with the product',
  job_spellings: 'published statistics, which come with the product',
  job_statements: 'published statistics, which come with the product',
  job_task_load: 'published statistics, which come with the product',
  job_words: 'published statistics, which come with the product',
  learner_reminders: 'reminders that were sent, which count for a day',
  learning_months: 'counters, which are rebuilt',
  mails: 'mails already sent or about to be sent, with secret links',
  migrations: 'the schema of the database',
  moderation_claims: 'who looks at a report, for minutes',
  nightly_checks: 'results of internal checks',
  outside_pictures: 'a cache',
  passage_sets: 'the index of the assistant, which is rebuilt',
  passages: 'the index of the assistant, which is rebuilt',
  passkey_challenges: 'secrets: started sign-ins',
  passkeys: 'second factors, which are bound to the address of an installation',
  password_history: 'hashes of passwords',
  person_figures: 'counters, which are rebuilt',
  payment_events: 'the log of events from Stripe; payments hold their results',
  provider_attempts: 'secrets: started sign-ins',
  push_devices: 'secrets: devices that show notifications; people switch them on again',
  push_keys: 'a secret; each installation makes its own',
  rate_limits: 'counted attempts, for a day',
  recovery_codes: 'hashes of second factors',
  search_documents: 'the search index, which is rebuilt',
  sessions: 'secrets: signed-in browsers',
  site_setup: 'the progress of the set-up assistant',
  sweeps: 'results of internal checks',
  tallies: 'counters, which are rebuilt',
  tally_changes: 'counters, which are rebuilt',
  totp_factors: 'secrets: second factors',
  week_figures: 'counters, which are rebuilt',
  whole_exports: 'exports like this one, which end after a day',
};

/**
 * Triggers that do not run while an archive is read: they notify, limit how often a person writes, refuse the texts of
 * deleted accounts, or change what the archive says.
 */
export const PAUSED_TRIGGERS: readonly string[] = [
  'activities_take_turn',
  'cohort_members_joined',
  'cohort_upload_rows_added',
  'journey_enrolments_resume',
  'lesson_completions_start',
  'lessons_added',
  'queue_article_news',
  'queue_post_news',
  'queue_reply_news',
  'reactions_take_turn',
  'refuse_erased',
  'refuse_erased_person',
];
