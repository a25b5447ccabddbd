import * as contract from '@officium/contract/admin-people';
import type { FastifyInstance } from 'fastify';
import { administrators } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import { endSessionsOf, listSessionsOf, openPerson, resetFactorsOf, searchAccounts } from './person.service.ts';

export function personRoutes(app: FastifyInstance, ctx: Ctx): void {
  implement(app, ctx, contract.findPeople, {
    policy: administrators,
    handle: async ({ ctx, viewer, query }) => await searchAccounts(ctx, viewer, query),
  });
  implement(app, ctx, contract.readPerson, {
    policy: administrators,
    handle: async ({ ctx, viewer, params, locale }) => await openPerson(ctx, viewer, { id: params.id, locale }),
  });
  implement(app, ctx, contract.listPersonSessions, {
    policy: administrators,
    handle: async ({ ctx, params }) => await listSessionsOf(ctx, params.id),
  });
  implement(app, ctx, contract.endPersonSessions, {
    policy: administrators,
    handle: async ({ ctx, viewer, params }) => {
      await endSessionsOf(ctx, viewer, params.id);
      return { deleted: true };
    },
  });
  implement(app, ctx, contract.endPersonSession, {
    policy: administrators,
    handle: async ({ ctx, viewer, params }) => {
      await endSessionsOf(ctx, viewer, params.id, params.sessionId);
      return { deleted: true };
    },
  });
  implement(app, ctx, contract.resetSecondFactor, {
    policy: administrators,
    handle: async ({ ctx, viewer, params }) => {
      await resetFactorsOf(ctx, viewer, params.id);
      return { deleted: true };
    },
  });
}
