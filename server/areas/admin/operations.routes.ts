import * as contract from '@officium/contract/operations';
import type { FastifyInstance } from 'fastify';
import { administrators } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import * as operations from './operations.service.ts';
import { readSystem } from './system.service.ts';

export function operationsRoutes(app: FastifyInstance, root: Ctx): void {
  const policy = administrators;
  implement(app, root, contract.listJobQueues, {
    policy,
    handle: async ({ ctx }) => await operations.listJobQueues(ctx),
  });
  implement(app, root, contract.listFailedJobs, {
    policy,
    handle: async ({ ctx, query }) => await operations.listFailedJobs(ctx, query),
  });
  implement(app, root, contract.retryJobs, {
    policy,
    handle: async ({ ctx, viewer, body }) => await operations.retryJobs(ctx, viewer, body),
  });
  implement(app, root, contract.listMails, {
    policy,
    handle: async ({ ctx, query }) => await operations.listMails(ctx, query),
  });
  implement(app, root, contract.retryMail, {
    policy,
    handle: async ({ ctx, viewer, params }) => await operations.retryMail(ctx, viewer, params.id),
  });
  implement(app, root, contract.listContentEvents, {
    policy,
    handle: async ({ ctx, query }) => await operations.listContentEvents(ctx, query),
  });
  implement(app, root, contract.readSystem, {
    policy,
    handle: async ({ ctx }) => await readSystem(ctx),
  });
}
