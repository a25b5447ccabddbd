import * as contract from '@officium/contract/second-factor';
import type { FastifyInstance } from 'fastify';
import { provenAccounts } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import { confirm, getConfirmation, mailCode, startPasskeyConfirmation } from './confirmation.service.ts';

export function confirmationRoutes(app: FastifyInstance, ctx: Ctx): void {
  implement(app, ctx, contract.readConfirmation, {
    policy: provenAccounts,
    handle: async ({ ctx, viewer }) => await getConfirmation(ctx, viewer),
  });
  implement(app, ctx, contract.mailConfirmationCode, {
    policy: provenAccounts,
    handle: async ({ ctx, viewer }) => {
      await mailCode(ctx, viewer);
      return { mailed: true };
    },
  });
  implement(app, ctx, contract.startConfirmationPasskey, {
    policy: provenAccounts,
    keyed: false,
    limitByAccount: { max: 60, windowSeconds: 900 },
    handle: async ({ ctx, viewer }) => await startPasskeyConfirmation(ctx, viewer),
  });
  implement(app, ctx, contract.confirmSession, {
    policy: provenAccounts,
    keyed: false,
    handle: async ({ ctx, viewer, body, http }) => {
      await confirm(ctx, viewer, { given: body, address: http.address });
      return { confirmed: true };
    },
  });
}
