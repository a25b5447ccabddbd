import { addCohortUser, listCohortInvitations, listCohortUsers } from '@officium/contract/admin';
import { removeCohortMember, withdrawInvitation } from '@officium/contract/cohorts';
import type { FastifyInstance } from 'fastify';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import { MANAGES_COHORT } from './cohort.policy.ts';
import { addPerson, listInvitationsOf, listUsersOf, removeMember, withdrawInvitationOf } from './member.service.ts';

export function cohortMemberRoutes(app: FastifyInstance, ctx: Ctx): void {
  implement(app, ctx, addCohortUser, {
    ...MANAGES_COHORT,
    handle: async ({ ctx, viewer, params, body, http }) =>
      void (await addPerson(ctx, viewer, params.id, body, http.requestId)),
  });
  implement(app, ctx, listCohortUsers, {
    ...MANAGES_COHORT,
    handle: async ({ ctx, viewer, params, query }) => await listUsersOf(ctx, viewer, params.id, query),
  });
  implement(app, ctx, listCohortInvitations, {
    ...MANAGES_COHORT,
    handle: async ({ ctx, viewer, params, query }) => await listInvitationsOf(ctx, viewer, params.id, query),
  });
  implement(app, ctx, removeCohortMember, {
    ...MANAGES_COHORT,
    handle: async ({ ctx, viewer, params, http }) =>
      void (await removeMember(ctx, viewer, { cohortId: params.id, userId: params.userId }, http.requestId)),
  });
  implement(app, ctx, withdrawInvitation, {
    ...MANAGES_COHORT,
    handle: async ({ ctx, viewer, params, http }) =>
      void (await withdrawInvitationOf(ctx, viewer, { cohortId: params.id, id: params.invitationId }, http.requestId)),
  });
}
