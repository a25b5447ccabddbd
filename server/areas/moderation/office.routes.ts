import * as contract from '@officium/contract/moderation-office';
import type { FastifyInstance } from 'fastify';
import { everyone, holdersOf, people } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import { claimCase, listCases } from './case.service.ts';
import { listFigures } from './figures.service.ts';
import { listLog } from './log.service.ts';

export function moderationOfficeRoutes(app: FastifyInstance, root: Ctx): void {
  implement(app, root, contract.claimCase, {
    policy: people,
    handle: async ({ ctx, viewer, body }) => await claimCase(ctx, viewer, body),
  });
  implement(app, root, contract.listCases, {
    policy: holdersOf('read-cases'),
    handle: async ({ ctx, viewer, locale, query }) => await listCases(ctx, { viewer, locale }, query),
  });
  implement(app, root, contract.listModerationLog, {
    policy: people,
    handle: async ({ ctx, viewer, query }) => await listLog(ctx, viewer, query),
  });
  implement(app, root, contract.listModerationFigures, {
    policy: everyone,
    limitByAddress: { max: 120, windowSeconds: 60 },
    handle: async ({ ctx }) => await listFigures(ctx),
  });
}
