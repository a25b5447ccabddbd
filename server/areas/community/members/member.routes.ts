import * as contract from '@officium/contract/community';
import type { FastifyInstance } from 'fastify';
import { people } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import { joinCommunity, leaveCommunity, listMembers, removeMember, updateMember } from './member.service.ts';

export function memberRoutes(app: FastifyInstance, ctx: Ctx): void {
  implement(app, ctx, contract.listMembers, {
    policy: people,
    handle: async ({ ctx, viewer, params, query }) => await listMembers(ctx, viewer, params.slug, query),
  });
  implement(app, ctx, contract.joinCommunity, {
    policy: people,
    handle: async ({ ctx, viewer, params }) => await joinCommunity(ctx, viewer, params.slug),
  });
  implement(app, ctx, contract.leaveCommunity, {
    policy: people,
    handle: async ({ ctx, viewer, params }) => void (await leaveCommunity(ctx, viewer, params.slug)),
  });
  implement(app, ctx, contract.updateMember, {
    policy: people,
    handle: async ({ ctx, viewer, params, body }) => await updateMember(ctx, viewer, params, body),
  });
  implement(app, ctx, contract.removeMember, {
    policy: people,
    handle: async ({ ctx, viewer, params }) => void (await removeMember(ctx, viewer, params)),
  });
}
