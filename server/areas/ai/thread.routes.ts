import * as contract from '@officium/contract/ai';
import type { FastifyInstance } from 'fastify';
import { people } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import { askLesson, deleteThread, listThreads } from './thread.service.ts';

export function threadRoutes(app: FastifyInstance, ctx: Ctx): void {
  implement(app, ctx, contract.askLesson, {
    policy: people,
    handle: ({ ctx, viewer, locale, body }) => askLesson(ctx, viewer, { ...body, locale: body.locale ?? locale }),
  });
  implement(app, ctx, contract.listThreads, {
    policy: people,
    handle: ({ ctx, viewer, query }) => listThreads(ctx, viewer, query),
  });
  implement(app, ctx, contract.deleteThread, {
    policy: people,
    handle: async ({ ctx, viewer, params }) => void (await deleteThread(ctx, viewer, params.threadId)),
  });
}
