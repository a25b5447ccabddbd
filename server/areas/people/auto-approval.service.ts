import type { Db } from '#server/db/client.ts';
import { domainsOf, matchRule, type AutoApprovalRule } from './auto-approval.policy.ts';
import { findRulesAbout } from './auto-approval.repository.ts';

/** The rule by which the owner of a proven address is a public servant, if there is one. */
export async function approvingRule(db: Db, email: string): Promise<AutoApprovalRule | undefined> {
  return matchRule(email, await findRulesAbout(db, { email, domains: domainsOf(email) }));
}
