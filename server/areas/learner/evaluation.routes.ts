import { readEvaluationResults } from '@officium/contract/evaluation-results';
import { answerEvaluation, readMyEvaluation, skipEvaluation } from '@officium/contract/evaluations';
import type { FastifyInstance } from 'fastify';
import { holdersOf, people } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import * as evaluations from './evaluation.service.ts';

export function evaluationRoutes(app: FastifyInstance, root: Ctx): void {
  implement(app, root, readMyEvaluation, {
    policy: people,
    handle: async ({ ctx, viewer, params, locale }) =>
      await evaluations.readMyEvaluation(ctx, viewer, { ...params, locale }),
  });

  implement(app, root, answerEvaluation, {
    policy: people,
    handle: async ({ ctx, viewer, params, body }) => {
      await evaluations.answerEvaluation(ctx, viewer, params, body.answers);
      return undefined;
    },
  });

  implement(app, root, skipEvaluation, {
    policy: people,
    handle: async ({ ctx, viewer, params }) => {
      await evaluations.skipEvaluation(ctx, viewer, params);
      return undefined;
    },
  });

  implement(app, root, readEvaluationResults, {
    policy: holdersOf('edit-content'),
    handle: async ({ ctx, viewer, params, locale }) =>
      await evaluations.readEvaluationResults(ctx, viewer, { ...params, locale }),
  });
}
