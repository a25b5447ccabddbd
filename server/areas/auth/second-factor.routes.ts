import * as contract from '@officium/contract/second-factor';
import type { FastifyInstance } from 'fastify';
import { people } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import * as factors from './second-factor.service.ts';

export function secondFactorRoutes(app: FastifyInstance, ctx: Ctx): void {
  implement(app, ctx, contract.readSecondFactor, {
    policy: people,
    handle: async ({ ctx, viewer }) => await factors.getMyFactors(ctx, viewer),
  });
  implement(app, ctx, contract.startTotp, {
    policy: people,
    keyed: false, // the reply contains a secret and must not be stored
    handle: async ({ ctx, viewer }) => await factors.startApp(ctx, viewer),
  });
  implement(app, ctx, contract.confirmTotp, {
    policy: people,
    keyed: false,
    handle: async ({ ctx, viewer, body }) => await factors.confirmApp(ctx, viewer, body.code),
  });
  implement(app, ctx, contract.removeTotp, {
    policy: people,
    handle: async ({ ctx, viewer }) => {
      await factors.removeApp(ctx, viewer);
      return { deleted: true };
    },
  });
  implement(app, ctx, contract.renewRecoveryCodes, {
    policy: people,
    keyed: false,
    handle: async ({ ctx, viewer }) => ({ recoveryCodes: await factors.renewCodes(ctx, viewer) }),
  });
  implement(app, ctx, contract.startPasskey, {
    policy: people,
    keyed: false,
    handle: async ({ ctx, viewer }) => await factors.startMyPasskey(ctx, viewer),
  });
  implement(app, ctx, contract.addPasskey, {
    policy: people,
    keyed: false,
    handle: async ({ ctx, viewer, body }) => await factors.addMyPasskey(ctx, viewer, body),
  });
  implement(app, ctx, contract.renamePasskey, {
    policy: people,
    handle: async ({ ctx, viewer, params, body }) => {
      await factors.renameMyPasskey(ctx, viewer, { id: params.id, name: body.name });
      return { updated: true };
    },
  });
  implement(app, ctx, contract.removePasskey, {
    policy: people,
    handle: async ({ ctx, viewer, params }) => {
      await factors.removeMyPasskey(ctx, viewer, params.id);
      return { deleted: true };
    },
  });
}
