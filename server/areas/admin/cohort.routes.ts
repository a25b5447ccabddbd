import { createCohort, listCohorts, readCohort, updateCohort } from '@officium/contract/admin';
import { listCohortTypes } from '@officium/contract/cohorts';
import type { FastifyInstance } from 'fastify';
import { administrators } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import { cohortTypes } from './cohort.policy.ts';
import { addCohort, changeCohort, listCohortsFor, readCohortById } from './cohort.service.ts';

export function cohortRoutes(app: FastifyInstance, ctx: Ctx): void {
  const policy = administrators;
  implement(app, ctx, createCohort, {
    policy,
    handle: async ({ ctx, viewer, body, http }) => await addCohort(ctx, viewer, body, http.requestId),
  });
  implement(app, ctx, listCohorts, { policy, handle: async ({ ctx, query }) => await listCohortsFor(ctx, query) });
  implement(app, ctx, readCohort, {
    policy,
    handle: async ({ ctx, params }) => await readCohortById(ctx.db, params.id),
  });
  implement(app, ctx, updateCohort, {
    policy,
    handle: async ({ ctx, viewer, params, body, http }) =>
      await changeCohort(ctx, viewer, params.id, body, http.requestId),
  });
  implement(app, ctx, listCohortTypes, {
    policy,
    handle: async ({ ctx }) => ({ types: cohortTypes(ctx.config.providerName) }),
  });
}
