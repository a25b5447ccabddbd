import * as contract from '@officium/contract/figures';
import type { FastifyInstance } from 'fastify';
import { administrators, holdersOf } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import { readFigures, readWaiting } from './figure.service.ts';

export function figureRoutes(app: FastifyInstance, root: Ctx): void {
  implement(app, root, contract.readFigures, {
    policy: holdersOf('read-reports'),
    handle: async ({ ctx, viewer, query }) => await readFigures(ctx, viewer, query),
  });
  implement(app, root, contract.readWaiting, {
    policy: administrators,
    handle: async ({ ctx }) => await readWaiting(ctx),
  });
}
