import * as contract from '@officium/contract/search';
import type { FastifyInstance } from 'fastify';
import { everyone } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import { findMovedPage } from './moved-page.service.ts';
import { search } from './search.service.ts';

export function searchRoutes(app: FastifyInstance, root: Ctx): void {
  implement(app, root, contract.search, {
    policy: everyone,
    limitByAddress: { max: 120, windowSeconds: 60 },
    handle: async ({ ctx, viewer, query, locale }) => await search(ctx, viewer, { ...query, locale }),
  });
  implement(app, root, contract.findMovedPage, {
    policy: everyone,
    limitByAddress: { max: 120, windowSeconds: 60 },
    handle: async ({ ctx, viewer, query, locale }) => await findMovedPage({ ctx, viewer, locale }, query.path),
  });
}
