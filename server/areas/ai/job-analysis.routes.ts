import * as contract from '@officium/contract/job-tasks';
import type { FastifyInstance } from 'fastify';
import { people } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import { listJobAnalyses, readJobAnalysis } from './job-analysis.service.ts';

export function jobAnalysisRoutes(app: FastifyInstance, ctx: Ctx): void {
  implement(app, ctx, contract.listJobAnalyses, {
    policy: people,
    handle: ({ ctx, viewer, query }) => listJobAnalyses(ctx, viewer, query),
  });
  implement(app, ctx, contract.readJobAnalysis, {
    policy: people,
    handle: ({ ctx, viewer, params, query, locale }) =>
      readJobAnalysis(ctx, viewer, { ...params, locale: query.locale ?? locale }),
  });
}
