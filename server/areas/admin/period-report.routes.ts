import { readPeriodReport } from '@officium/contract/period-reports';
import type { FastifyInstance } from 'fastify';
import { holdersOf } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import { readReportOf } from './period-report.service.ts';

export function periodReportRoutes(app: FastifyInstance, root: Ctx): void {
  implement(app, root, readPeriodReport, {
    policy: holdersOf('read-reports'),
    handle: async ({ ctx, viewer, query, locale }) => await readReportOf(ctx, viewer, query, locale),
  });
}
