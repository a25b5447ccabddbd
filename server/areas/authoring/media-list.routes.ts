import { listMedia } from '@officium/contract/media-library';
import type { FastifyInstance } from 'fastify';
import { holdersOf } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import { listFiles } from './media-list.service.ts';

export function mediaListRoutes(app: FastifyInstance, ctx: Ctx): void {
  implement(app, ctx, listMedia, {
    policy: holdersOf('edit-content'),
    handle: async ({ ctx, viewer, query }) => await listFiles(ctx, viewer, query),
  });
}
