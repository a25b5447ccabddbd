import * as contract from '@officium/contract/cohort-lifecycle';
import type { FastifyInstance } from 'fastify';
import { administrators } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import { MANAGES_COHORT } from './cohort.policy.ts';
import * as lifecycle from './cohort-lifecycle.service.ts';
import { listCohortsFor } from './cohort.service.ts';
import { listMembersOf } from './member-list.service.ts';

export function cohortLifecycleRoutes(app: FastifyInstance, ctx: Ctx): void {
  const policy = administrators;
  implement(app, ctx, contract.renameCohort, {
    policy,
    handle: async ({ ctx, viewer, params: { id }, body: { name }, http: { requestId } }) =>
      await lifecycle.renameCohortOf(ctx, viewer, { id, name, requestId }),
  });
  implement(app, ctx, contract.archiveCohort, {
    policy,
    handle: async ({ ctx, viewer, params: { id }, http: { requestId } }) =>
      await lifecycle.archiveCohortOf(ctx, viewer, { id, requestId }),
  });
  implement(app, ctx, contract.reopenCohort, {
    policy,
    handle: async ({ ctx, viewer, params: { id }, http: { requestId } }) =>
      await lifecycle.reopenCohortOf(ctx, viewer, { id, requestId }),
  });
  implement(app, ctx, contract.listArchivedCohorts, {
    policy,
    handle: async ({ ctx, viewer, query }) => await listCohortsFor(ctx, viewer, query, true),
  });
  implement(app, ctx, contract.previewCohortDeletion, {
    policy,
    handle: async ({ ctx, params }) => await lifecycle.previewDeletion(ctx, params.id),
  });
  implement(app, ctx, contract.deleteCohort, {
    policy,
    handle: async ({ ctx, viewer, params: { id }, body: { name }, http: { requestId } }) =>
      void (await lifecycle.deleteCohortOf(ctx, viewer, { id, name, requestId })),
  });
  implement(app, ctx, contract.searchCohortMembers, {
    ...MANAGES_COHORT,
    handle: async ({ ctx, viewer, params, query }) => await listMembersOf(ctx, viewer, params.id, query),
  });
}
