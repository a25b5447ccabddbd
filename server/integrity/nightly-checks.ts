import { sql } from 'kysely';
import { countBrokenLinks } from '#server/audit/audit-chain.ts';
import type { Ctx } from '#server/ctx.ts';
import { inTransaction } from '#server/db/client.ts';
import { findDifferences } from './counters.ts';
import { defineJob } from '#server/jobs/define.ts';

/** Reading everything once may take its time, at night. */
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
 * Counts again what is kept counted, and follows the chain of the audit log. What is wrong is reported, in the log and
 * among the metrics, and not mended: a counter that is off means that something else is.
 */
export const nightlyChecksJob = defineJob('platform.check-books', { cron: '41 2 * * *' }, async (ctx) => {
  for (const { name, wrong } of await runChecks(ctx)) {
    if (wrong > 0) ctx.log.error({ check: name, wrong }, 'counter drift or a broken audit log found');
    await sql`
      insert into nightly_checks (subject, wrong) values (${name}, ${wrong})
      on conflict (subject) do update set wrong = excluded.wrong, checked_at = now()`.execute(ctx.db);
  }
});

/** What was found last, and how long ago; nothing before the first night. */
export async function readChecks(db: Ctx['db']): Promise<(Check & { ageSeconds: number })[]> {
  const { rows } = await sql<Check & { ageSeconds: number }>`
    select subject as name, wrong, extract(epoch from now() - checked_at)::float8 as "ageSeconds" from nightly_checks
    order by subject`.execute(db);
  return rows;
}
