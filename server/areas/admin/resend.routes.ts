import { listResends, resendInvitations, searchInvitations } from '@officium/contract/cohorts';
import type { FastifyInstance } from 'fastify';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import { MANAGES_COHORT } from './cohort.policy.ts';
import { listResendsOf, resend, searchInvitationsOf } from './resend.service.ts';

export function resendRoutes(app: FastifyInstance, ctx: Ctx): void {
  implement(app, ctx, searchInvitations, {
    ...MANAGES_COHORT,
    handle: async ({ ctx, viewer, params, query }) => await searchInvitationsOf(ctx, viewer, params.id, query),
  });
  implement(app, ctx, resendInvitations, {
    ...MANAGES_COHORT,
    handle: async ({ ctx, viewer, params, body, http }) => await resend(ctx, viewer, params.id, body, http.requestId),
  });
  implement(app, ctx, listResends, {
    ...MANAGES_COHORT,
    handle: async ({ ctx, params, query }) => await listResendsOf(ctx, params.id, query),
  });
}
