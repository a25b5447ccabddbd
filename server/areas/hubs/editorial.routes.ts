import { listEditorials, readEditorial } from '@officium/contract/editorials';
import type { FastifyInstance } from 'fastify';
import { everyone } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import { listSeen, readSeen } from './editorial.service.ts';

export function editorialRoutes(app: FastifyInstance, ctx: Ctx): void {
  implement(app, ctx, listEditorials, {
    policy: everyone,
    handle: async ({ ctx, viewer, params, query, locale }) =>
      await listSeen(ctx, { viewer, locale }, params.kind, query),
  });
  implement(app, ctx, readEditorial, {
    policy: everyone,
    handle: async ({ ctx, viewer, params, locale }) =>
      await readSeen(ctx, { viewer, locale }, params.kind, params.slug),
  });
}
