import * as contract from '@officium/contract/moderation';
import type { FastifyInstance } from 'fastify';
import { people } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import { decideReports, listReports, reportContent } from './report.service.ts';

export function reportRoutes(app: FastifyInstance, root: Ctx): void {
  implement(app, root, contract.reportContent, {
    policy: people,
    limitByAccount: { max: 20, windowSeconds: 3600 },
    handle: async ({ ctx, viewer, body }) => await reportContent(ctx, viewer, body),
  });
  implement(app, root, contract.listReports, {
    policy: people,
    handle: async ({ ctx, viewer, locale, query }) => await listReports(ctx, { viewer, locale }, query),
  });
  implement(app, root, contract.decideReports, {
    policy: people,
    handle: async ({ ctx, viewer, body }) => await decideReports(ctx, viewer, body),
  });
}
