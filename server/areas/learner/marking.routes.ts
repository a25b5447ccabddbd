import { listMarking, markAttempt, readMarking } from '@officium/contract/marking';
import type { FastifyInstance } from 'fastify';
import { holdersOf } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import * as marking from './marking.service.ts';

const policy = holdersOf('mark-answers');

export function markingRoutes(app: FastifyInstance, root: Ctx): void {
  implement(app, root, listMarking, {
    policy,
    handle: async ({ ctx, viewer, query, locale }) => await marking.listMarking(ctx, viewer, query, locale),
  });
  implement(app, root, readMarking, {
    policy,
    handle: async ({ ctx, viewer, params, locale }) => await marking.readMarking(ctx, viewer, params.attemptId, locale),
  });
  implement(app, root, markAttempt, {
    policy,
    handle: async ({ ctx, viewer, params, body, locale }) =>
      await marking.markAttempt(ctx, viewer, { ...body, id: params.attemptId, locale }),
  });
}
