import { listAuditLog } from '@officium/contract/audit';
import type { FastifyInstance } from 'fastify';
import { holdersOf } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import { readLog } from './audit.service.ts';

export function auditRoutes(app: FastifyInstance, ctx: Ctx): void {
  implement(app, ctx, listAuditLog, {
    policy: holdersOf('read-audit'),
    handle: async ({ ctx, viewer, query, locale }) => await readLog(ctx, viewer, query, locale),
  });
}
