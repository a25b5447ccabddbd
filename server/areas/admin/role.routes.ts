import * as contract from '@officium/contract/roles';
import type { FastifyInstance } from 'fastify';
import { administrators, holdersOf } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import * as service from './role.service.ts';

export function roleRoutes(app: FastifyInstance, root: Ctx): void {
  const policy = administrators;
  implement(app, root, contract.listPersonRoles, {
    policy,
    handle: async ({ ctx, params, locale }) => await service.listRolesOf(ctx, params.id, locale),
  });
  implement(app, root, contract.giveRole, {
    policy,
    handle: async ({ ctx, viewer, params, body, locale }) =>
      await service.assignRole(ctx, viewer, { id: params.id, locale }, body),
  });
  implement(app, root, contract.takeRole, {
    policy,
    handle: async ({ ctx, viewer, params }) => {
      await service.removeRole(ctx, viewer, params);
      return undefined;
    },
  });
  implement(app, root, contract.listRoleAssignments, {
    policy,
    handle: async ({ ctx, query, locale }) => await service.listAssignments(ctx, query, locale),
  });
  implement(app, root, contract.findRolePlaces, {
    policy,
    handle: async ({ ctx, query, locale }) => await service.findPlacesFor(ctx, query, locale),
  });
  implement(app, root, contract.listReportPlaces, {
    policy: holdersOf('read-reports'),
    handle: async ({ ctx, viewer, locale }) => await service.listMyReportPlaces(ctx, viewer, locale),
  });
}
