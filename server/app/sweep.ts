import { THREAD_DAYS } from '@officium/contract/ai';
import { UNPLACED_PICTURE_DAYS } from '@officium/contract/article-pictures';
import { DRAFT_MINUTES } from '@officium/contract/cohorts';
import { CURSOR_HOURS } from '@officium/contract/community';
import { RESTORE_DAYS } from '@officium/contract/content';
import { HELD_MONTHS } from '@officium/contract/decisions';
import { NOTIFICATION_DAYS } from '@officium/contract/notifications';
import { PUSH_DEVICE_DAYS } from '@officium/contract/push';
import { sql } from 'kysely';
import { sweepWholeExports } from '#server/areas/archive/whole-export.service.ts';
import { sweepExports } from '#server/areas/account/export.service.ts';
import { sweepIncomingFiles } from '#server/areas/assets/incoming-file.service.ts';
import { sweepOutsidePictures } from '#server/areas/assets/outside-picture.service.ts';
import { sweepResumableUploads } from '#server/areas/assets/resumable-upload.service.ts';
import { sweepStoredFiles } from '#server/areas/assets/stored-file.service.ts';
import { sweepImports } from '#server/areas/importing/folder-import.service.ts';
import { isOverPicture } from '#server/areas/community/pictures/picture-age.sql.ts';
import { NOW } from '#server/db/client.ts';
import { defineSweepJob, type Sweep, sweepOf } from '#server/jobs/sweep.ts';
import { isUsedFile } from './used-files.ts';

const ago = (age: string) => sql<Date>`now() - ${sql.lit(age)}::interval`;

const SWEEPS: readonly Sweep[] = [
  sweepOf('sessions', (eb) => eb.or([eb('expires_at', '<', NOW), eb('last_seen_at', '<', ago('13 hours'))])),
  sweepOf('challenges', (eb) => eb('expires_at', '<', ago('7 days'))),
  sweepOf('passkey_challenges', (eb) => eb('expires_at', '<', NOW)),
  sweepOf('provider_attempts', (eb) => eb('expires_at', '<', NOW)),
  sweepOf('mails', (eb) => eb.and([eb('status', '<>', 'queued'), eb('created_at', '<', ago('30 days'))])),
  sweepOf('idempotency_keys', (eb) => eb('created_at', '<', ago('25 hours'))),
  sweepOf('ai_threads', (eb) => eb('updated_at', '<', ago(`${THREAD_DAYS} days`))),
  sweepOf('ai_calls', (eb) => eb('begun_at', '<', ago('1 hour'))),
  sweepOf('ai_person_tokens', (eb) => eb('day', '<', sql<Date>`now()::date - ${sql.lit(THREAD_DAYS)}`)),
  sweepOf('content_events', (eb) => eb('received_at', '<', ago('30 days'))),
  // Longer than refunds of a payment that waits for its bank take.
  sweepOf('payment_events', (eb) => eb('received_at', '<', ago('400 days'))),
  sweepOf('cohort_drafts', (eb) => eb('created_at', '<', ago(`${DRAFT_MINUTES} minutes`))),
  sweepOf('notifications', (eb) => eb('updated_at', '<', ago(`${NOTIFICATION_DAYS} days`))),
  sweepOf('notification_claims', (eb) => eb('created_at', '<', ago(`${NOTIFICATION_DAYS} days`))),
  sweepOf('push_devices', (eb) => eb('seen_at', '<', ago(`${PUSH_DEVICE_DAYS} days`))),
  // Articles that their author deleted.
  sweepOf('articles', (eb) =>
    eb.and([eb('withdrawn_by', '=', eb.ref('author_id')), eb('withdrawn_at', '<', ago(`${RESTORE_DAYS} days`))]),
  ),
  // Articles that moderators removed, as long as the decision keeps their text.
  sweepOf('articles', (eb) =>
    eb.and([eb('withdrawn_by', '<>', eb.ref('author_id')), eb('withdrawn_at', '<', ago(`${HELD_MONTHS} months`))]),
  ),
  // The author keeps a removed text while an appeal is possible.
  sweepOf(
    'moderation_decisions',
    (eb) => eb.and([eb('held', 'is not', null), eb('decided_at', '<', ago(`${HELD_MONTHS} months`))]),
    { held: null },
  ),
  sweepOf('moderation_held_likes', (eb) =>
    eb.exists(
      eb
        .selectFrom('moderation_decisions as d')
        .select('d.id')
        .whereRef('d.id', '=', 'moderation_held_likes.decision_id')
        .where((decision) => decision.or([decision('d.held', 'is', null), decision('d.outcome', 'is not', null)])),
    ),
  ),
  sweepOf('moderation_claims', (eb) => eb('until', '<', NOW)),
  sweepOf('content_writers', (eb) => eb('seen_at', '<', ago('1 hour'))),
  sweepOf('community_turns', (eb) => eb('last_at', '<', ago('2 days'))),
  sweepOf('feed_snapshots', (eb) => eb('taken_at', '<', ago(`${CURSOR_HOURS} hours`))),
  sweepOf('post_pictures', () => isOverPicture),
  sweepOf('article_pictures', (eb) =>
    eb.and([eb('article_id', 'is', null), eb('created_at', '<', ago(`${UNPLACED_PICTURE_DAYS} days`))]),
  ),
  sweepOf('machine_translations', (eb) => eb('made_at', '<', ago('90 days'))),
  sweepOf('rate_limits', (eb) => eb('window_start', '<', ago('1 day'))),
];

export const sweepJob = defineSweepJob(SWEEPS, {
  exports: sweepExports,
  'whole exports': sweepWholeExports,
  imports: sweepImports,
  'outside pictures': sweepOutsidePictures,
  'incoming files': sweepIncomingFiles,
  'resumable uploads': sweepResumableUploads,
  'stored files': async (ctx) => await sweepStoredFiles(ctx, isUsedFile),
});
