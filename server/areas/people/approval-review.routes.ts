import * as contract from '@officium/contract/approval-review';
import type { FastifyInstance } from 'fastify';
import { administrators, servicesAndAdministrators } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import { explainApproval } from './approval-explanation.service.ts';
import { checkRule, reviewRules, testAddresses } from './approval-review.service.ts';
import { toAutoApproval } from './auto-approval.view.ts';

export function approvalReviewRoutes(app: FastifyInstance, ctx: Ctx): void {
  const policy = servicesAndAdministrators;
  implement(app, ctx, contract.reviewAutoApprovals, {
    policy,
    handle: async ({ ctx, query }) => {
      const { rules, ...counts } = await reviewRules(ctx, query);
      return { ...counts, rules: rules.map(({ row, warnings }) => ({ ...toAutoApproval(row), warnings })) };
    },
  });
  implement(app, ctx, contract.checkAutoApproval, {
    policy,
    handle: async ({ ctx, query }) => await checkRule(ctx, query),
  });
  implement(app, ctx, contract.explainApproval, {
    policy: administrators,
    handle: async ({ ctx, viewer, params }) => await explainApproval(ctx, viewer, params.id),
  });
  implement(app, ctx, contract.testAutoApprovals, {
    policy,
    handle: async ({ ctx, viewer, body, http }) =>
      await testAddresses(ctx, viewer, { ...body, requestId: http.requestId }),
  });
}
