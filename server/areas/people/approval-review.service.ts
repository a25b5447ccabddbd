import {
  MAX_REVIEWED_RULES,
  MAX_TESTED_ADDRESSES,
  type checkAutoApproval,
  type reviewAutoApprovals,
} from '@officium/contract/approval-review';
import type { InputOf } from '@officium/contract/endpoint';
import { recordAction } from '#server/audit/audit.ts';
import type { Viewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import {
  addressesIn,
  bookOf,
  testAddress,
  valuesAbout,
  valuesAbove,
  warningsOf,
  type Tested,
  type Warning,
} from './approval-review.policy.ts';
import { normalValue } from './auto-approval.policy.ts';
import * as repository from './auto-approval.repository.ts';

type Reviewed = { row: repository.AutoApprovalRow; warnings: Warning[] };
type Query = InputOf<typeof reviewAutoApprovals>['query'];

/** Checks all rules, because any of them can make another redundant. Rules are entered by hand, so there are few. */
export async function reviewRules(
  ctx: Ctx,
  { type, match, warned, sort, limit, offset }: Query,
): Promise<{ rules: Reviewed[]; total: number; warned: number }> {
  const rows = await repository.findOldestRules(ctx.db, MAX_REVIEWED_RULES);
  const book = bookOf(rows);
  const all = rows.map((row) => ({ row, warnings: warningsOf(row, book) }));
  const part = match.toLowerCase();
  const found = all
    .filter(
      ({ row, warnings }) => (!type || row.type === type) && row.value.includes(part) && (!warned || warnings.length),
    )
    .toSorted(orderOf(sort));
  return {
    rules: found.slice(offset, offset + limit),
    total: found.length,
    warned: all.filter(({ warnings }) => warnings.length > 0).length,
  };
}

function orderOf(sort: Query['sort']): (a: Reviewed, b: Reviewed) => number {
  const isDown = sort.startsWith('-');
  const keyOf = ({ row }: Reviewed): string => {
    switch (isDown ? sort.slice(1) : sort) {
      case 'type':
        return `${row.type} ${row.value}`;
      case 'createdAt':
        return `${row.created_at.toISOString()} ${row.id}`;
      default:
        return `${row.value} ${row.type}`;
    }
  };
  return (a, b) => (keyOf(a) < keyOf(b) ? -1 : 1) * (isDown ? -1 : 1);
}

/** Problems a new rule of this type and value would have. */
export async function checkRule(
  ctx: Ctx,
  { type, value, id = '' }: InputOf<typeof checkAutoApproval>['query'],
): Promise<{ value: string; warnings: Warning[] }> {
  const rule = { id, type, value: normalValue(type, value) };
  const others = await repository.findRulesOfValues(ctx.db, valuesAbove(rule));
  return { value: rule.value, warnings: warningsOf(rule, bookOf(others)) };
}

/** The rule that approves each address, or why none does. The audit log records the test without the addresses. */
export async function testAddresses(
  ctx: Ctx,
  viewer: Viewer,
  { emails, requestId }: { emails: string; requestId: string },
): Promise<{ results: Tested[]; left: number }> {
  const given = addressesIn(emails);
  const tested = given.slice(0, MAX_TESTED_ADDRESSES);
  const values = new Set(tested.flatMap((email) => valuesAbout(email)));
  const book = bookOf(await repository.findRulesOfValues(ctx.db, [...values]));
  await recordAction(ctx.db, viewer, {
    action: 'people.test-auto-approvals',
    object: 'auto-approvals',
    detail: { addresses: tested.length },
    requestId,
  });
  return { results: tested.map((email) => testAddress(email, book)), left: given.length - tested.length };
}
