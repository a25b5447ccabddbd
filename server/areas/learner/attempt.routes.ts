import { readAttempt, saveAnswer, startAttempt, submitAttempt } from '@officium/contract/assessments';
import type { FastifyInstance } from 'fastify';
import { people } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import * as attempts from './attempt.service.ts';

export function attemptRoutes(app: FastifyInstance, root: Ctx): void {
  implement(app, root, startAttempt, {
    policy: people,
    // Each new attempt stores a copy of its questions.
    limitByAccount: { max: 60, windowSeconds: 3600 },
    handle: async ({ ctx, viewer, params, locale, http }) => {
      const { attempt, isNew } = await attempts.startAttempt(ctx, viewer, { ...params, locale });
      if (isNew) http.status(201);
      return attempt;
    },
  });

  implement(app, root, readAttempt, {
    policy: people,
    handle: async ({ ctx, viewer, params }) => await attempts.readMyAttempt(ctx, viewer, params),
  });

  implement(app, root, saveAnswer, {
    policy: people,
    handle: async ({ ctx, viewer, params, body }) => {
      await attempts.saveAnswer(ctx, viewer, params, body);
      return undefined;
    },
  });

  implement(app, root, submitAttempt, {
    policy: people,
    handle: async ({ ctx, viewer, params }) => await attempts.submitAttempt(ctx, viewer, params),
  });
}
