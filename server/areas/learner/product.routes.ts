import { giveUserProduct, listUserProducts, updateUserProduct } from '@officium/contract/people-records';
import type { FastifyInstance } from 'fastify';
import { people } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import { toCourseRecord } from './enrolment.view.ts';
import * as products from './product.service.ts';

export function userProductRoutes(app: FastifyInstance, root: Ctx): void {
  const { publicUrl } = root.config;

  implement(app, root, giveUserProduct, {
    policy: people,
    handle: async ({ ctx, viewer, params, body, locale }) =>
      toCourseRecord(await products.giveProduct(ctx, viewer, { user: params.id, locale, body }), publicUrl),
  });

  implement(app, root, listUserProducts, {
    policy: people,
    handle: async ({ ctx, viewer, params, query }) => {
      const rows = await products.listProducts(ctx, viewer, { user: params.id, ...query });
      return { products: rows.map((row) => toCourseRecord(row, publicUrl)), total: rows.length };
    },
  });

  implement(app, root, updateUserProduct, {
    policy: people,
    handle: async ({ ctx, viewer, params, body }) =>
      toCourseRecord(await products.updateProduct(ctx, viewer, { user: params.id, body }), publicUrl),
  });
}
