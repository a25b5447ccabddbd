import { listCohortProgress, readCohortProgress } from '@officium/contract/cohorts';
import type { FastifyInstance } from 'fastify';
import { holdersOf } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import { listProgress, readProgress } from './progress.service.ts';

export function cohortProgressRoutes(app: FastifyInstance, ctx: Ctx): void {
  const policy = holdersOf('read-reports');
  implement(app, ctx, readCohortProgress, {
    policy,
    handle: async ({ ctx, viewer, params, locale }) => await readProgress(ctx, viewer, params.id, locale),
  });
  implement(app, ctx, listCohortProgress, {
    policy,
    handle: async ({ ctx, viewer, params, query }) =>
      await listProgress(ctx, viewer, { cohortId: params.id, journeyId: params.journeyId }, query),
  });
}
