import { chainAuditLog } from '#server/audit/audit-chain.ts';
import { defineJob } from '#server/jobs/define.ts';

/** The end of the chain as this process last told it. */
let told = 0;

/** Chains the audit log, and says in the log where it ends: logs are kept elsewhere, so that cutting its end off shows. */
export const chainAuditJob = defineJob('platform.chain-audit', { cron: '*/5 * * * *' }, async (ctx) => {
  const { position, hash } = await chainAuditLog(ctx.db);
  if (position !== told) ctx.log.info({ position, hash }, 'audit log chained');
  told = position;
});
