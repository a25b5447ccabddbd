import { AutoApprovalType, type createAutoApproval, type listAutoApprovals } from '@officium/contract/people';
import type { InputOf } from '@officium/contract/endpoint';
import { recordAction } from '#server/audit/audit.ts';
import type { Viewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { inTransaction, type Db } from '#server/db/client.ts';
import { AppError, notFound } from '#server/errors.ts';
import { domainsOf, matchRule, normalValue, type AutoApprovalRule } from './auto-approval.policy.ts';
import * as repository from './auto-approval.repository.ts';

type Rule = InputOf<typeof createAutoApproval>['body'];

const normal = ({ type, value }: Rule): Rule => ({ type, value: normalValue(type, value) });

/** The rule by which the owner of a proven address is a public servant, if there is one. */
export async function approvingRule(db: Db, email: string): Promise<AutoApprovalRule | undefined> {
  return matchRule(email, await repository.findRulesAbout(db, { email, domains: domainsOf(email) }));
}

export async function createRule(
  ctx: Ctx,
  actor: Viewer,
  { rule, requestId }: { rule: Rule; requestId: string },
): Promise<repository.AutoApprovalRow> {
  return await inTransaction(ctx.db, async (trx) => {
    const row = await repository.insertRule(trx, normal(rule));
    if (!row) throw new AppError('people.rule_exists');
    await recordAction(trx, actor, {
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

/** PostgreSQL's word for a value that another row has. */
function isTaken(error: unknown): boolean {
  return (error as { code?: unknown }).code === '23505'; // only read; whatever was thrown
}

export async function updateRule(
  ctx: Ctx,
  actor: Viewer,
  { id, rule, requestId }: { id: string; rule: Rule; requestId: string },
): Promise<repository.AutoApprovalRow> {
  return await inTransaction(ctx.db, async (trx) => {
    const row = await repository.updateRule(trx, { id, ...normal(rule) }).catch((error: unknown) => {
      throw isTaken(error) ? new AppError('people.rule_exists') : error;
    });
    if (!row) throw notFound();
    await recordAction(trx, actor, {
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
  actor: Viewer,
  { id, requestId }: { id: string; requestId: string },
): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    if (!(await repository.deleteRule(trx, id))) throw notFound();
    await recordAction(trx, actor, { action: 'people.delete-auto-approval', object: id, requestId });
  });
}
