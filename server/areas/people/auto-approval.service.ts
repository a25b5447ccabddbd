import { AutoApprovalType, type createAutoApproval, type listAutoApprovals } from '@officium/contract/people';
import type { InputOf } from '@officium/contract/endpoint';
import { recordAction } from '#server/audit/audit.ts';
import { isUser, type Viewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { inTransaction, type Db } from '#server/db/client.ts';
import { AppError, invalid, notFound } from '#server/errors.ts';
import { canMatch, isOpenToAll } from './approval-review.policy.ts';
import { domainsOf, matchRule, normalValue, type AutoApprovalRule } from './auto-approval.policy.ts';
import * as repository from './auto-approval.repository.ts';
import { isOpenToRules } from './registration.policy.ts';

type Rule = InputOf<typeof createAutoApproval>['body'];

const UNMATCHABLE = {
  email: 'No account can have this address. Write a whole e-mail address, such as ana@agency.gov',
  domain: 'No address is directly at this domain. Write a whole domain, such as agency.gov',
  partialDomain: 'No address is below this domain. Write a domain, such as agency.gov',
};

const OPEN_TO_ALL = 'Anybody can have an address there; only an administrator can approve it';

/**
 * Returns the rule in its stored form. Refuses a value that no address can ever match, and from a service one that
 * would approve a whole top-level domain.
 */
function normal(viewer: Viewer, { type, value }: Rule): Rule {
  const rule = { type, value: normalValue(type, value) };
  if (!canMatch(rule)) throw invalid('value', UNMATCHABLE[type]);
  if (!isUser(viewer) && isOpenToAll(rule)) throw invalid('value', OPEN_TO_ALL);
  return rule;
}

/** The rule that makes the owner of a proven address a public servant, if any. */
export async function approvingRule(
  db: Db,
  email: string,
  registrationStatus: string | null = null,
): Promise<AutoApprovalRule | undefined> {
  if (!isOpenToRules(registrationStatus)) return undefined;
  return matchRule(email, await repository.findRulesAbout(db, { email, domains: domainsOf(email) }));
}

/** The values of the rules that approve proven addresses, by address; those without a rule are left out. */
export async function approvingRules(db: Db, emails: readonly string[]): Promise<Map<string, string>> {
  if (emails.length === 0) return new Map();
  const values = new Set(emails.flatMap((email) => [email.toLowerCase(), ...domainsOf(email)]));
  const rules = await repository.findRulesOfValues(db, [...values]);
  return new Map(
    emails.flatMap((email): [string, string][] => {
      const rule = matchRule(email, rules);
      return rule ? [[email, rule.value]] : [];
    }),
  );
}

export async function createRule(
  ctx: Ctx,
  viewer: Viewer,
  { rule, requestId }: { rule: Rule; requestId: string },
): Promise<repository.AutoApprovalRow> {
  return await inTransaction(ctx.db, async (trx) => {
    const row = await repository.insertRule(trx, normal(viewer, rule));
    if (!row) throw new AppError('people.rule_exists');
    await recordAction(trx, viewer, {
      action: 'people.create-auto-approval',
      object: row.id,
      detail: { type: rule.type },
      requestId,
    });
    return row;
  });
}

export async function readRule(ctx: Ctx, id: string): Promise<repository.AutoApprovalRow> {
  const row = await repository.getRule(ctx.db, id);
  if (!row) throw notFound();
  return row;
}

export async function listRules(
  ctx: Ctx,
  { type, value, ...page }: InputOf<typeof listAutoApprovals>['query'],
): Promise<{ rows: repository.AutoApprovalRow[]; total: number }> {
  const types = type ? [type] : AutoApprovalType.options;
  const values = value ? [...new Set(types.map((each) => normalValue(each, value)))] : undefined;
  return await repository.findRules(ctx.db, { type, values, ...page });
}

/** True for PostgreSQL's unique violation. */
function isTaken(error: unknown): boolean {
  return (error as { code?: unknown }).code === '23505'; // only reads a property, so any thrown value is safe
}

export async function updateRule(
  ctx: Ctx,
  viewer: Viewer,
  { id, rule, requestId }: { id: string; rule: Rule; requestId: string },
): Promise<repository.AutoApprovalRow> {
  return await inTransaction(ctx.db, async (trx) => {
    const row = await repository.updateRule(trx, { id, ...normal(viewer, rule) }).catch((error: unknown) => {
      throw isTaken(error) ? new AppError('people.rule_exists') : error;
    });
    if (!row) throw notFound();
    await recordAction(trx, viewer, {
      action: 'people.update-auto-approval',
      object: id,
      detail: { type: rule.type },
      requestId,
    });
    return row;
  });
}

export async function deleteRule(
  ctx: Ctx,
  viewer: Viewer,
  { id, requestId }: { id: string; requestId: string },
): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    if (!(await repository.deleteRule(trx, id))) throw notFound();
    await recordAction(trx, viewer, { action: 'people.delete-auto-approval', object: id, requestId });
  });
}
