import { readSession } from '@officium/contract/auth';
import type { FastifyInstance } from 'fastify';
import { everyone } from '#server/access/policies.ts';
import { isUser } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';

export function sessionRoutes(app: FastifyInstance, ctx: Ctx): void {
  implement(app, ctx, readSession, {
    policy: everyone,
    handle: async ({ viewer }) => ({ viewer: isUser(viewer) ? viewer : null }),
  });
}
