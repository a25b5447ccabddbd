import { addCohortUser, listCohortInvitations, listCohortUsers } from '@officium/contract/admin';
import type { FastifyInstance } from 'fastify';
import { administrators } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import { addPerson, listInvitationsOf, listUsersOf } from './member.service.ts';

export function cohortMemberRoutes(app: FastifyInstance, ctx: Ctx): void {
  const policy = administrators;
  implement(app, ctx, addCohortUser, {
    policy,
    handle: async ({ ctx, viewer, params, body, http }) =>
      void (await addPerson(ctx, viewer, params.id, body, http.requestId)),
  });
  implement(app, ctx, listCohortUsers, {
    policy,
    handle: async ({ ctx, params, query }) => await listUsersOf(ctx, params.id, query),
  });
  implement(app, ctx, listCohortInvitations, {
    policy,
    handle: async ({ ctx, params, query }) => await listInvitationsOf(ctx, params.id, query),
  });
}
