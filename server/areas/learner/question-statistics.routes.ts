import { readQuestionStatistics } from '@officium/contract/question-statistics';
import type { FastifyInstance } from 'fastify';
import { holdersOf } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import * as statistics from './question-statistics.service.ts';

export function questionStatisticsRoutes(app: FastifyInstance, root: Ctx): void {
  implement(app, root, readQuestionStatistics, {
    policy: holdersOf('edit-content'),
    // It reads up to two thousand attempts.
    limitByAccount: { max: 60, windowSeconds: 600 },
    handle: async ({ ctx, viewer, params }) => await statistics.readQuestionStatistics(ctx, viewer, params.key),
  });
}
