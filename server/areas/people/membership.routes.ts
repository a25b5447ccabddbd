import { listCommunitiesOfUser, listMembershipsOfUser } from '@officium/contract/people';
import type { FastifyInstance } from 'fastify';
import { people } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import { listCommunities, listMemberships } from './membership.service.ts';
import { toMembership } from './membership.view.ts';

export function membershipRoutes(app: FastifyInstance, ctx: Ctx): void {
  implement(app, ctx, listCommunitiesOfUser, {
    policy: people,
    handle: async ({ ctx, viewer, params, locale }) => {
      const communities = await listCommunities(ctx, viewer, { ref: params.id, locale });
      return { communities, total: communities.length };
    },
  });
  implement(app, ctx, listMembershipsOfUser, {
    policy: people,
    handle: async ({ ctx, viewer, params, locale }) => {
      const rows = await listMemberships(ctx, viewer, { ref: params.userId, locale });
      return { userCommunities: rows.map(toMembership), total: rows.length };
    },
  });
}
