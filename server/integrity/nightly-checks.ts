// Raw SQL: a setting of the transaction.
import { sql } from 'kysely';
import { countBrokenLinks } from '#server/audit/audit-chain.ts';
import type { Ctx } from '#server/ctx.ts';
import { inTransaction, NOW } from '#server/db/client.ts';
import { findDifferences } from './counters.ts';
import { defineJob } from '#server/jobs/define.ts';

/** A full read may take long, at night. */
const LONGEST = '30min';

type Check = { name: string; wrong: number };

async function runChecks(ctx: Ctx): Promise<Check[]> {
  return await inTransaction(ctx.db, async (trx) => {
    await sql`set local statement_timeout = ${sql.lit(LONGEST)}`.execute(trx);
    const counters = await findDifferences(trx);
    return [...counters, { name: 'audit_log', wrong: await countBrokenLinks(trx) }];
  });
}

/**
 * Recounts the counters and checks the chain of the audit log. Errors are reported in the log and the metrics, and not
 * repaired: a wrong counter means that something else is wrong.
 */
export const nightlyChecksJob = defineJob('platform.check-books', { cron: '41 2 * * *' }, async (ctx) => {
  for (const { name, wrong } of await runChecks(ctx)) {
    if (wrong > 0) ctx.log.error({ check: name, wrong }, 'counter drift or a broken audit log found');
    await ctx.db
      .insertInto('nightly_checks')
      .values({ subject: name, wrong })
      .onConflict((row) => row.column('subject').doUpdateSet({ wrong, checked_at: NOW }))
      .execute();
  }
});

/** The latest results with their age; empty before the first night. */
export async function readChecks(db: Ctx['db']): Promise<(Check & { ageSeconds: number })[]> {
  return await db
    .selectFrom('nightly_checks')
    .select(['subject as name', 'wrong'])
    .select(sql<number>`extract(epoch from now() - ${sql.ref('checked_at')})::float8`.as('ageSeconds'))
    .orderBy('subject')
    .execute();
}
