import * as contract from '@officium/contract/operations';
import type { FastifyInstance } from 'fastify';
import { administrators } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import { enqueueReconciliation } from './reconcile.jobs.ts';
import { readReconciliation, startReconciliation } from './reconcile.service.ts';

export function reconcileRoutes(app: FastifyInstance, root: Ctx): void {
  implement(app, root, contract.startReconciliation, {
    policy: administrators,
    handle: async ({ ctx, viewer }) =>
      void (await startReconciliation(ctx, viewer, async (db) => await enqueueReconciliation(ctx, db))),
  });
  implement(app, root, contract.readReconciliation, {
    policy: administrators,
    handle: async ({ ctx }) => await readReconciliation(ctx),
  });
}
