import { listResends, resendInvitations, searchInvitations } from '@officium/contract/cohorts';
import type { FastifyInstance } from 'fastify';
import { administrators } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import { listResendsOf, resend, searchInvitationsOf } from './resend.service.ts';

export function resendRoutes(app: FastifyInstance, ctx: Ctx): void {
  const policy = administrators;
  implement(app, ctx, searchInvitations, {
    policy,
    handle: async ({ ctx, viewer, params, query }) => await searchInvitationsOf(ctx, viewer, params.id, query),
  });
  implement(app, ctx, resendInvitations, {
    policy,
    handle: async ({ ctx, viewer, params, body, http }) => await resend(ctx, viewer, params.id, body, http.requestId),
  });
  implement(app, ctx, listResends, {
    policy,
    handle: async ({ ctx, params, query }) => await listResendsOf(ctx, params.id, query),
  });
}
