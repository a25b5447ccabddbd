import { THREAD_DAYS } from '@officium/contract/ai';
import { HELD_MONTHS } from '@officium/contract/decisions';
import { DRAFT_MINUTES } from '@officium/contract/cohorts';
import { NOTIFICATION_DAYS } from '@officium/contract/notifications';
import { sql } from 'kysely';
import { sweepOutsidePictures } from '../areas/assets/outside-picture.service.ts';
import { sweepExports } from '../areas/account/export.service.ts';
import { sweepImports } from '../areas/content/folder-import.service.ts';
import { defineJob } from './define.ts';

/**
 * Removes what is over: sessions, secrets, mails that went out, idempotency keys, conversations with the assistant,
 * notifications, what a content platform told, texts that moderators removed, old translations by machine, files that
 * nobody confirmed, rate-limit windows, exports and imports of content,
 * pictures of other hosts.
 */
export const sweepJob = defineJob('platform.sweep', { cron: '17 * * * *' }, async (ctx) => {
  await sql`delete from sessions where expires_at < now() or last_seen_at < now() - interval '13 hours'`.execute(
    ctx.db,
  );
  await sql`delete from challenges where expires_at < now() - interval '7 days'`.execute(ctx.db);
  await sql`delete from passkey_challenges where expires_at < now()`.execute(ctx.db);
  await sql`delete from provider_attempts where expires_at < now()`.execute(ctx.db);
  await sql`delete from mails where status <> 'queued' and created_at < now() - interval '30 days'`.execute(ctx.db);
  await sql`delete from idempotency_keys where created_at < now() - interval '25 hours'`.execute(ctx.db);
  await sql`delete from ai_threads where updated_at < now() - make_interval(days => ${THREAD_DAYS})`.execute(ctx.db);
  await sql`delete from ai_calls where begun_at < now() - interval '1 hour'`.execute(ctx.db);
  await sql`delete from ai_person_tokens where day < now()::date - ${THREAD_DAYS}::int`.execute(ctx.db);
  await sql`delete from content_events where received_at < now() - interval '30 days'`.execute(ctx.db);
  await sql`delete from cohort_drafts where created_at < now() - make_interval(mins => ${DRAFT_MINUTES})`.execute(
    ctx.db,
  );
  for (const [table, moment] of [
    ['notifications', 'updated_at'],
    ['notification_claims', 'created_at'],
  ] as const)
    await sql`
      delete from ${sql.table(table)} where ${sql.ref(moment)} < now() - make_interval(days => ${NOTIFICATION_DAYS})`.execute(
      ctx.db,
    );
  // What was removed is kept for its author as long as an appeal may be looked into, and no longer.
  await sql`
    update moderation_decisions set held = null
    where held is not null and decided_at < now() - make_interval(months => ${HELD_MONTHS})`.execute(ctx.db);
  await sql`
    delete from moderation_held_likes l using moderation_decisions d
    where d.id = l.decision_id and (d.held is null or d.outcome is not null)`.execute(ctx.db);
  await sql`delete from moderation_claims where until < now()`.execute(ctx.db);
  await sql`delete from community_turns where last_at < now() - interval '2 days'`.execute(ctx.db);
  await sql`delete from machine_translations where made_at < now() - interval '90 days'`.execute(ctx.db);
  // A page is remembered for a minute; a transaction may have begun long before it ended.
  await sql`delete from feed_changes where made_at < now() - interval '2 hours'`.execute(ctx.db);
  await sql`delete from rate_limits where window_start < now() - interval '1 day'`.execute(ctx.db);
  await sweepExports(ctx);
  await sweepImports(ctx);
  await sweepOutsidePictures(ctx);
});
