import * as contract from '@officium/contract/community';
import type { FastifyInstance } from 'fastify';
import { everyone } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import { listCommunities, readCommunity } from './community.service.ts';

export function communityRoutes(app: FastifyInstance, ctx: Ctx): void {
  implement(app, ctx, contract.listCommunities, {
    policy: everyone,
    handle: async ({ ctx, viewer, locale, query }) => await listCommunities(ctx, { viewer, locale }, query),
  });
  implement(app, ctx, contract.readCommunity, {
    policy: everyone,
    handle: async ({ ctx, viewer, locale, params }) => await readCommunity(ctx, { viewer, locale }, params.slug),
  });
}
