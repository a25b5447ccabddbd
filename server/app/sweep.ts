import { THREAD_DAYS } from '@officium/contract/ai';
import { DRAFT_MINUTES } from '@officium/contract/cohorts';
import { HELD_MONTHS } from '@officium/contract/decisions';
import { NOTIFICATION_DAYS } from '@officium/contract/notifications';
import { sql } from 'kysely';
import { sweepExports } from '#server/areas/account/export.service.ts';
import { sweepOutsidePictures } from '#server/areas/assets/outside-picture.service.ts';
import { sweepImports } from '#server/areas/importing/folder-import.service.ts';
import { defineSweepJob, type Sweep } from '#server/jobs/sweep.ts';

const olderThan = (moment: string, age: string) => sql`${sql.ref(moment)} < now() - ${sql.lit(age)}::interval`;
const pastItsEnd = sql`expires_at < now()`;

const SWEEPS: readonly Sweep[] = [
  { table: 'sessions', isOver: sql`expires_at < now() or last_seen_at < now() - interval '13 hours'` },
  { table: 'challenges', isOver: olderThan('expires_at', '7 days') },
  { table: 'passkey_challenges', isOver: pastItsEnd },
  { table: 'provider_attempts', isOver: pastItsEnd },
  { table: 'mails', isOver: sql`status <> 'queued' and ${olderThan('created_at', '30 days')}` },
  { table: 'idempotency_keys', isOver: olderThan('created_at', '25 hours') },
  { table: 'ai_threads', isOver: olderThan('updated_at', `${THREAD_DAYS} days`) },
  { table: 'ai_calls', isOver: olderThan('begun_at', '1 hour') },
  { table: 'ai_person_tokens', isOver: sql`day < now()::date - ${sql.lit(THREAD_DAYS)}` },
  { table: 'content_events', isOver: olderThan('received_at', '30 days') },
  { table: 'cohort_drafts', isOver: olderThan('created_at', `${DRAFT_MINUTES} minutes`) },
  { table: 'notifications', isOver: olderThan('updated_at', `${NOTIFICATION_DAYS} days`) },
  { table: 'notification_claims', isOver: olderThan('created_at', `${NOTIFICATION_DAYS} days`) },
  // A removed text is kept for its author while an appeal may be looked into.
  {
    table: 'moderation_decisions',
    isOver: sql`held is not null and ${olderThan('decided_at', `${HELD_MONTHS} months`)}`,
    update: sql`held = null`,
  },
  {
    table: 'moderation_held_likes',
    isOver: sql`exists (select from moderation_decisions d where d.id = moderation_held_likes.decision_id and (d.held is null or d.outcome is not null))`,
  },
  { table: 'moderation_claims', isOver: sql`until < now()` },
  { table: 'community_turns', isOver: olderThan('last_at', '2 days') },
  { table: 'machine_translations', isOver: olderThan('made_at', '90 days') },
  { table: 'rate_limits', isOver: olderThan('window_start', '1 day') },
];

export const sweepJob = defineSweepJob(SWEEPS, {
  exports: sweepExports,
  imports: sweepImports,
  'outside pictures': sweepOutsidePictures,
});
