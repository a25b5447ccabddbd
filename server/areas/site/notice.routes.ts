import * as contract from '@officium/contract/site-notices';
import type { FastifyInstance } from 'fastify';
import { administrators } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import * as notices from './notice.service.ts';

export function noticeRoutes(app: FastifyInstance, root: Ctx): void {
  const policy = administrators;
  implement(app, root, contract.listSiteNotices, {
    policy,
    handle: async ({ ctx }) => ({ notices: await notices.listNotices(ctx) }),
  });
  implement(app, root, contract.createSiteNotice, {
    policy,
    handle: async ({ ctx, viewer, body }) => await notices.createNotice(ctx, viewer, body),
  });
  implement(app, root, contract.updateSiteNotice, {
    policy,
    handle: async ({ ctx, viewer, params, body }) => await notices.updateNotice(ctx, viewer, { ...params, ...body }),
  });
  implement(app, root, contract.deleteSiteNotice, {
    policy,
    handle: async ({ ctx, viewer, params }) => {
      await notices.deleteNotice(ctx, viewer, params.id);
      return undefined;
    },
  });
}
