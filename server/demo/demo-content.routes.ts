import * as contract from '@officium/contract/demo-content';
import type { FastifyInstance } from 'fastify';
import { administrators } from '../access/policies.ts';
import type { Ctx } from '../ctx.ts';
import { implement } from '../http/implement.ts';
import { readDemo, removeDemo } from './removal.ts';

export function demoContentRoutes(app: FastifyInstance, root: Ctx): void {
  const policy = administrators;
  implement(app, root, contract.readDemoContent, {
    policy,
    handle: async ({ ctx, viewer }) => await readDemo(ctx.db, viewer),
  });
  implement(app, root, contract.removeDemoContent, {
    policy,
    handle: async ({ ctx, viewer, body: { name }, http: { requestId } }) =>
      await removeDemo(ctx, viewer, { name, requestId }),
  });
}
