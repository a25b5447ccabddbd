import { createCohort, listCohorts, readCohort, updateCohort } from '@officium/contract/admin';
import { listCohortTypes } from '@officium/contract/cohorts';
import type { FastifyInstance } from 'fastify';
import { administrators, holdersOf } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import { cohortTypes } from './cohort.policy.ts';
import { addCohort, changeCohort, listCohortsFor, readCohortFor } from './cohort.service.ts';

export function cohortRoutes(app: FastifyInstance, ctx: Ctx): void {
  const policy = administrators;
  implement(app, ctx, createCohort, {
    policy,
    handle: async ({ ctx, viewer, body, http }) => await addCohort(ctx, viewer, body, http.requestId),
  });
  implement(app, ctx, listCohorts, {
    policy: holdersOf('read-cohort'),
    handle: async ({ ctx, viewer, query }) => await listCohortsFor(ctx, viewer, query),
  });
  implement(app, ctx, readCohort, {
    policy: holdersOf('read-cohort'),
    handle: async ({ ctx, viewer, params }) => await readCohortFor(ctx, viewer, params.id),
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
