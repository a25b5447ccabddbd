import * as contract from '@officium/contract/site-setup';
import type { FastifyInstance } from 'fastify';
import { administrators } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import { toServerSettings } from './server-settings.view.ts';
import * as setup from './setup.service.ts';
import { recordTest, tryMail } from './test-mail.service.ts';

const TEST_MAIL_LIMIT = { max: 10, windowSeconds: 3600 };

export function setupRoutes(app: FastifyInstance, root: Ctx): void {
  const policy = administrators;
  implement(app, root, contract.readSiteSetup, { policy, handle: async ({ ctx }) => await setup.readSetup(ctx.db) });
  implement(app, root, contract.updateSiteSetup, {
    policy,
    handle: async ({ ctx, viewer, body }) => await setup.putAway(ctx, viewer, body.isPutAway),
  });
  implement(app, root, contract.updateSetupStep, {
    policy,
    handle: async ({ ctx, viewer, params, body }) => await setup.updateStep(ctx, viewer, { ...params, ...body }),
  });
  implement(app, root, contract.readServerSettings, {
    policy,
    handle: async ({ ctx }) => toServerSettings(ctx.config),
  });
  implement(app, root, contract.sendTestMail, {
    policy,
    limitByAccount: TEST_MAIL_LIMIT,
    ask: async ({ ctx, viewer, locale }) => {
      const sent = await tryMail(ctx, viewer, locale);
      return async (within) => {
        await recordTest(within, viewer, sent);
        return sent;
      };
    },
  });
}
