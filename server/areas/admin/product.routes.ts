import {
  listCohortProducts,
  listProducts,
  readProductPermissions,
  registerProduct,
  setCohortProducts,
  setProductPermission,
} from '@officium/contract/admin';
import { attachCohortProduct, detachCohortProduct, listDueDates } from '@officium/contract/cohorts';
import type { FastifyInstance } from 'fastify';
import { administrators } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import { MANAGES_COHORT } from './cohort.policy.ts';
import {
  attachProduct,
  detachProduct,
  listDueDatesOf,
  listProductsOf,
  readPermissions,
  registerProductOf,
  searchProducts,
  setPermission,
  setProducts,
} from './product.service.ts';

export function cohortProductRoutes(app: FastifyInstance, ctx: Ctx): void {
  const policy = administrators;
  implement(app, ctx, listProducts, {
    policy,
    handle: async ({ ctx, query, locale }) => await searchProducts(ctx, query, locale),
  });
  implement(app, ctx, registerProduct, {
    policy,
    handle: async ({ ctx, viewer, params, http }) =>
      void (await registerProductOf(ctx, viewer, params.id, http.requestId)),
  });
  implement(app, ctx, readProductPermissions, {
    policy,
    handle: async ({ ctx, params }) => ({ permissions: await readPermissions(ctx, params.id) }),
  });
  implement(app, ctx, setProductPermission, {
    policy,
    handle: async ({ ctx, viewer, params, body, http }) =>
      void (await setPermission(ctx, viewer, params.id, body, http.requestId)),
  });
  implement(app, ctx, listCohortProducts, {
    ...MANAGES_COHORT,
    handle: async ({ ctx, params, locale }) => await listProductsOf(ctx, params.id, locale),
  });
  implement(app, ctx, setCohortProducts, {
    policy,
    handle: async ({ ctx, viewer, params, body, http }) =>
      void (await setProducts(ctx, viewer, params.id, body.entryIds, http.requestId)),
  });
  implement(app, ctx, attachCohortProduct, {
    ...MANAGES_COHORT,
    handle: async ({ ctx, viewer, params, body, http }) =>
      void (await attachProduct(
        ctx,
        viewer,
        { cohortId: params.id, entryId: params.entryId, dueOn: body.dueOn },
        http.requestId,
      )),
  });
  implement(app, ctx, detachCohortProduct, {
    policy,
    handle: async ({ ctx, viewer, params, http }) =>
      void (await detachProduct(ctx, viewer, { cohortId: params.id, entryId: params.entryId }, http.requestId)),
  });
  implement(app, ctx, listDueDates, {
    ...MANAGES_COHORT,
    handle: async ({ ctx, params }) => await listDueDatesOf(ctx, params.id),
  });
}
