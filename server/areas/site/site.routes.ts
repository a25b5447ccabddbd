import * as contract from '@officium/contract/site';
import type { FastifyInstance } from 'fastify';
import { administrators, everyone } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import * as service from './site.service.ts';
import { toSite } from './site.view.ts';

export function siteRoutes(app: FastifyInstance, root: Ctx): void {
  implement(app, root, contract.readSiteSettings, {
    policy: administrators,
    handle: async ({ ctx }) => await service.readSettings(ctx),
  });
  implement(app, root, contract.updateSiteSettings, {
    policy: administrators,
    handle: async ({ ctx, viewer, body }) => await service.updateSettings(ctx, viewer, body),
  });
  implement(app, root, contract.readSitePageTexts, {
    policy: administrators,
    handle: async ({ ctx, params }) => await service.readPageTexts(ctx, params.kind),
  });
  implement(app, root, contract.updateSitePage, {
    policy: administrators,
    handle: async ({ ctx, viewer, params, body }) => await service.updatePage(ctx, viewer, params, body),
  });
  implement(app, root, contract.readSite, {
    policy: everyone,
    handle: async ({ ctx, locale }) => toSite(ctx.site.current(), locale),
  });
  implement(app, root, contract.readSitePage, {
    policy: everyone,
    handle: async ({ ctx, params, locale }) => await service.readPage(ctx, params.kind, locale),
  });
}
