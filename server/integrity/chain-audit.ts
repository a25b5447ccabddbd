import { chainAuditLog } from '#server/audit/audit-chain.ts';
import { defineJob } from '#server/jobs/define.ts';

/** The end of the chain that this process logged last. */
let logged = 0;

/** Chains the audit log and logs its end. Logs are stored elsewhere, so a truncated audit log is noticed. */
export const chainAuditJob = defineJob('platform.chain-audit', { cron: '*/5 * * * *' }, async (ctx) => {
  const { position, hash } = await chainAuditLog(ctx.db);
  if (position !== logged) ctx.log.info({ position, hash }, 'audit log chained');
  logged = position;
});
