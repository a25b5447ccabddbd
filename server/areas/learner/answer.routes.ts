import { checkAnswer } from '@officium/contract/answers';
import type { FastifyInstance } from 'fastify';
import { everyone } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import * as answers from './answer.service.ts';

const WINDOW_SECONDS = 600;

export function answerRoutes(app: FastifyInstance, root: Ctx): void {
  implement(app, root, checkAnswer, {
    policy: everyone,
    limitByAccount: { max: 300, windowSeconds: WINDOW_SECONDS },
    // A whole office can share one address.
    limitByAddress: { max: 3_000, windowSeconds: WINDOW_SECONDS },
    handle: async ({ ctx, viewer, params, body, locale }) =>
      await answers.checkAnswer(ctx, viewer, { params, body, locale }),
  });
}
