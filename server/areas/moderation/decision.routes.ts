import * as contract from '@officium/contract/decisions';
import type { FastifyInstance } from 'fastify';
import { people } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import * as service from './decision.service.ts';

export function decisionRoutes(app: FastifyInstance, root: Ctx): void {
  implement(app, root, contract.listMyDecisions, {
    policy: people,
    handle: async ({ ctx, viewer, locale, query }) => await service.listMyDecisions(ctx, { viewer, locale }, query),
  });
  implement(app, root, contract.listMyReports, {
    policy: people,
    handle: async ({ ctx, viewer, locale, query }) => await service.listOwnReports(ctx, { viewer, locale }, query),
  });
  implement(app, root, contract.readDecision, {
    policy: people,
    handle: async ({ ctx, viewer, locale, params }) => await service.readDecision(ctx, { viewer, locale }, params.id),
  });
  implement(app, root, contract.appealDecision, {
    policy: people,
    handle: async ({ ctx, viewer, locale, params, body }) =>
      await service.appealDecision(ctx, { viewer, locale }, { ...params, ...body }),
  });
  implement(app, root, contract.decideAppeal, {
    policy: people,
    handle: async ({ ctx, viewer, locale, params, body }) =>
      await service.decideAppeal(ctx, { viewer, locale }, { ...params, ...body }),
  });
  implement(app, root, contract.listAppeals, {
    policy: people,
    handle: async ({ ctx, viewer, locale, query }) => await service.listAppeals(ctx, { viewer, locale }, query),
  });
}
