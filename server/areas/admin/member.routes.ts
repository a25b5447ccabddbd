import { addCohortUser, listCohortInvitations, listCohortUsers } from '@officium/contract/admin';
import { removeCohortMember, withdrawInvitation } from '@officium/contract/cohorts';
import type { FastifyInstance } from 'fastify';
import { administrators } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import { addPerson, listInvitationsOf, listUsersOf, removeMember, withdrawInvitationOf } from './member.service.ts';

export function cohortMemberRoutes(app: FastifyInstance, ctx: Ctx): void {
  const policy = administrators;
  implement(app, ctx, addCohortUser, {
    policy,
    handle: async ({ ctx, viewer, params, body, http }) =>
      void (await addPerson(ctx, viewer, params.id, body, http.requestId)),
  });
  implement(app, ctx, listCohortUsers, {
    policy,
    handle: async ({ ctx, viewer, params, query }) => await listUsersOf(ctx, viewer, params.id, query),
  });
  implement(app, ctx, listCohortInvitations, {
    policy,
    handle: async ({ ctx, viewer, params, query }) => await listInvitationsOf(ctx, viewer, params.id, query),
  });
  implement(app, ctx, removeCohortMember, {
    policy,
    handle: async ({ ctx, viewer, params, http }) =>
      void (await removeMember(ctx, viewer, { cohortId: params.id, userId: params.userId }, http.requestId)),
  });
  implement(app, ctx, withdrawInvitation, {
    policy,
    handle: async ({ ctx, viewer, params, http }) =>
      void (await withdrawInvitationOf(ctx, viewer, { cohortId: params.id, id: params.invitationId }, http.requestId)),
  });
}
