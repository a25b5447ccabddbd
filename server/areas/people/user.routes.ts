import * as contract from '@officium/contract/people';
import type { FastifyInstance } from 'fastify';
import { people, provenAccounts, servicesAndAdministrators } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import { toPerson } from '#server/areas/account/person.view.ts';
import { erase, replaceBadges, replacePerson, search } from './user.service.ts';

export function userRoutes(app: FastifyInstance, ctx: Ctx): void {
  implement(app, ctx, contract.updateUser, {
    policy: people,
    handle: async ({ ctx, viewer, params, body, http }) => {
      await replacePerson(ctx, viewer, { ref: params.id, write: body, requestId: http.requestId });
      return { updated: true };
    },
  });
  implement(app, ctx, contract.eraseUser, {
    policy: provenAccounts,
    handle: async ({ ctx, viewer, params, http }) => {
      const { isOwn } = await erase(ctx, viewer, { ref: params.id, requestId: http.requestId });
      if (isOwn) http.closeSession();
      return { deleted: true };
    },
  });
  implement(app, ctx, contract.searchUsers, {
    policy: people,
    handle: async ({ ctx, viewer, body }) => {
      const { rows, total } = await search(ctx, viewer, body);
      return { users: rows.map((row) => toPerson(row, viewer)), total };
    },
  });
  implement(app, ctx, contract.setBadges, {
    policy: servicesAndAdministrators,
    handle: async ({ ctx, viewer, params, body, http }) => {
      await replaceBadges(ctx, viewer, { ref: params.id, badges: body.badges, requestId: http.requestId });
      return { updated: true };
    },
  });
}
