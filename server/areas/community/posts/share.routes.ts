import * as contract from '@officium/contract/shares';
import type { FastifyInstance } from 'fastify';
import { people } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import { shareArticle } from './share.service.ts';

export function shareRoutes(app: FastifyInstance, ctx: Ctx): void {
  implement(app, ctx, contract.shareArticle, {
    policy: people,
    limitByAccount: { max: 60, windowSeconds: 3600 },
    handle: async ({ ctx, viewer, locale, params, body, http }) => {
      const { successful, failed } = await shareArticle(ctx, viewer, params.slug, {
        ...body,
        locale: body.locale ?? locale,
      });
      if (failed.length === 0) return { successful };
      http.status(207);
      return { successful, failed };
    },
  });
}
