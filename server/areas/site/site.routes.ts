import * as contract from '@officium/contract/site';
import * as settings from '@officium/contract/site-settings';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { administrators, everyone } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import { acceptPictures, readPicture } from '#server/http/picture-form.ts';
import { viewerOf } from '#server/http/session.ts';
import { makeLogo, setCertificatePicture, setLogo } from './logo.service.ts';
import { noticeRoutes } from './notice.routes.ts';
import { setupRoutes } from './setup.routes.ts';
import * as service from './site.service.ts';
import { toSite } from './site.view.ts';

function logoRoutes(app: FastifyInstance, root: Ctx): void {
  void app.register(async (forms) => {
    await acceptPictures(forms);
    // Runs before the operation, which is one transaction when there is an Idempotency-Key.
    const sent = new WeakMap<FastifyRequest, contract.SiteLogo>();
    forms.addHook('preHandler', async (request) => {
      administrators.check(await viewerOf(root, request));
      // The operation refuses other paths.
      const isKnown = [settings.uploadSiteLogo, settings.uploadCertificatePicture].some(
        ({ params }) => params.safeParse(request.params).success,
      );
      if (!isKnown) return;
      sent.set(request, await makeLogo(root, await readPicture(request)));
    });
    implement(forms, root, settings.uploadCertificatePicture, {
      policy: administrators,
      handle: async ({ ctx, viewer, params, http }) =>
        await setCertificatePicture(ctx, viewer, { slot: params.slot, picture: sent.get(http.request)! }), // set by the hook
    });
    implement(forms, root, settings.uploadSiteLogo, {
      policy: administrators,
      handle: async ({ ctx, viewer, params, http }) =>
        await setLogo(ctx, viewer, { theme: params.theme, logo: sent.get(http.request)! }), // set by the hook
    });
  });
}

export function siteRoutes(app: FastifyInstance, root: Ctx): void {
  implement(app, root, settings.readSiteSettings, {
    policy: administrators,
    handle: async ({ ctx }) => await service.readSettings(ctx),
  });
  implement(app, root, settings.updateSiteSettings, {
    policy: administrators,
    handle: async ({ ctx, viewer, body }) => await service.updateSettings(ctx, viewer, body),
  });
  implement(app, root, settings.readSitePageTexts, {
    policy: administrators,
    handle: async ({ ctx, params }) => await service.readPageTexts(ctx, params.kind),
  });
  implement(app, root, settings.updateSitePage, {
    policy: administrators,
    handle: async ({ ctx, viewer, params, body }) => await service.updatePage(ctx, viewer, params, body),
  });
  logoRoutes(app, root);
  setupRoutes(app, root);
  noticeRoutes(app, root);
  implement(app, root, contract.readSite, {
    policy: everyone,
    handle: async ({ ctx, locale }) => toSite(ctx.site.current(), locale),
  });
  implement(app, root, contract.readSitePage, {
    policy: everyone,
    handle: async ({ ctx, params, locale }) => await service.readPage(ctx, params.kind, locale),
  });
}
