import { listExtraTime, setExtraTime } from '@officium/contract/extra-time';
import type { FastifyInstance } from 'fastify';
import { holdersOf } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import * as extraTime from './extra-time.service.ts';

const policy = holdersOf('publish-content');

export function extraTimeRoutes(app: FastifyInstance, root: Ctx): void {
  implement(app, root, listExtraTime, {
    policy,
    handle: async ({ ctx, viewer, params }) => await extraTime.listExtraTime(ctx, viewer, params.key),
  });
  implement(app, root, setExtraTime, {
    policy,
    handle: async ({ ctx, viewer, params, body }) => {
      await extraTime.setExtraTime(ctx, viewer, params.key, body);
      return undefined;
    },
  });
}
