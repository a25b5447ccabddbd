import * as contract from '@officium/contract/people';
import type { FastifyInstance } from 'fastify';
import { servicesAndAdministrators } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import { createRule, deleteRule, listRules, readRule, updateRule } from './auto-approval.service.ts';
import { toAutoApproval } from './auto-approval.view.ts';

export function autoApprovalRoutes(app: FastifyInstance, ctx: Ctx): void {
  implement(app, ctx, contract.createAutoApproval, {
    policy: servicesAndAdministrators,
    handle: async ({ ctx, viewer, body, http }) =>
      toAutoApproval(await createRule(ctx, viewer, { rule: body, requestId: http.requestId })),
  });
  implement(app, ctx, contract.readAutoApproval, {
    policy: servicesAndAdministrators,
    handle: async ({ ctx, params }) => toAutoApproval(await readRule(ctx, params.id)),
  });
  implement(app, ctx, contract.listAutoApprovals, {
    policy: servicesAndAdministrators,
    handle: async ({ ctx, query }) => {
      const { rows, total } = await listRules(ctx, query);
      return { autoApprovals: rows.map(toAutoApproval), total };
    },
  });
  implement(app, ctx, contract.updateAutoApproval, {
    policy: servicesAndAdministrators,
    handle: async ({ ctx, viewer, params, body, http }) =>
      toAutoApproval(await updateRule(ctx, viewer, { ...params, rule: body, requestId: http.requestId })),
  });
  implement(app, ctx, contract.deleteAutoApproval, {
    policy: servicesAndAdministrators,
    handle: async ({ ctx, viewer, params, http }) => {
      await deleteRule(ctx, viewer, { ...params, requestId: http.requestId });
      return { deleted: true };
    },
  });
}
