import {
  listProductAccess,
  previewProductAccess,
  setPermissionOfProducts,
  setProductAccess,
} from '@officium/contract/product-access';
import type { FastifyInstance } from 'fastify';
import { administrators } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import { listAccess, previewAccess, setAccess, setPermissionOfSeveral } from './product-access.service.ts';

export function productAccessRoutes(app: FastifyInstance, ctx: Ctx): void {
  const policy = administrators;
  implement(app, ctx, listProductAccess, {
    policy,
    handle: async ({ ctx, query, locale }) => await listAccess(ctx, query, locale),
  });
  implement(app, ctx, previewProductAccess, {
    policy,
    handle: async ({ ctx, params, query, locale }) => await previewAccess(ctx, params.id, query, locale),
  });
  implement(app, ctx, setProductAccess, {
    policy,
    handle: async ({ ctx, viewer, params, body, http }) =>
      void (await setAccess(ctx, viewer, params.id, body, http.requestId)),
  });
  implement(app, ctx, setPermissionOfProducts, {
    policy,
    handle: async ({ ctx, viewer, body, http }) =>
      void (await setPermissionOfSeveral(ctx, viewer, body, http.requestId)),
  });
}
