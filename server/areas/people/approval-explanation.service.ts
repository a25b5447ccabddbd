import type { ApprovalExplanation } from '@officium/contract/approval-review';
import { recordHourly } from '#server/audit/audit.ts';
import type { UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { notFound } from '#server/errors.ts';
import { getUser } from '#server/areas/auth/user.service.ts';
import { explain, lookupFor } from './approval-explanation.policy.ts';
import { findRulesNear } from './auto-approval.repository.ts';

/** Why no rule approved an account, for an administrator. */
export async function explainApproval(ctx: Ctx, viewer: UserViewer, id: string): Promise<ApprovalExplanation> {
  const user = await getUser(ctx.db, id);
  if (!user?.email) throw notFound();
  const { email } = user;
  const { rules, counts } = await findRulesNear(ctx.db, lookupFor(email));
  if (id !== viewer.id) await recordHourly(ctx.lastingDb, viewer, { action: 'admin.read-person', object: id });
  const { domain = 0, email: addresses = 0, partialDomain = 0 } = counts;
  const { reason, rule, near } = explain({ ...user, email }, rules, domain + addresses + partialDomain > 0);
  return { reason, rule, near, rules: { domain, email: addresses, partialDomain } };
}
