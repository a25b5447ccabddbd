import { THREAD_DAYS } from '@officium/contract/ai';
import { NOTIFICATION_DAYS } from '@officium/contract/notifications';
import { sql } from 'kysely';
import { sweepExports } from '../areas/account/export.service.ts';
import { defineJob } from './define.ts';

/**
 * Removes what is over: sessions, secrets, mails that went out, idempotency keys, conversations with the assistant,
 * notifications, rate-limit windows and exports.
 */
export const sweepJob = defineJob('platform.sweep', { cron: '17 * * * *' }, async (ctx) => {
  await sql`delete from sessions where expires_at < now() or last_seen_at < now() - interval '13 hours'`.execute(
    ctx.db,
  );
  await sql`delete from challenges where expires_at < now() - interval '7 days'`.execute(ctx.db);
  await sql`delete from mails where status <> 'queued' and created_at < now() - interval '30 days'`.execute(ctx.db);
  await sql`delete from idempotency_keys where created_at < now() - interval '25 hours'`.execute(ctx.db);
  await sql`delete from ai_threads where updated_at < now() - make_interval(days => ${THREAD_DAYS})`.execute(ctx.db);
  for (const [table, moment] of [
    ['notifications', 'updated_at'],
    ['notification_claims', 'created_at'],
  ] as const)
    await sql`
      delete from ${sql.table(table)} where ${sql.ref(moment)} < now() - make_interval(days => ${NOTIFICATION_DAYS})`.execute(
      ctx.db,
    );
  await sql`delete from rate_limits where window_start < now() - interval '1 day'`.execute(ctx.db);
  await sweepExports(ctx);
});
