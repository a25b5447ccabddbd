import * as contract from '@officium/contract/translation';
import type { FastifyInstance } from 'fastify';
import { people } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import { translationRefusal } from '#server/http/translation-refusal.ts';
import { translateArticle } from './article-translation.service.ts';
import { listSources, translateText } from './translation.service.ts';

export function translationRoutes(app: FastifyInstance, ctx: Ctx): void {
  implement(app, ctx, contract.translate, {
    policy: people,
    refusal: translationRefusal,
    ask: async ({ ctx, viewer, body }) => {
      const reply = await translateText(ctx, viewer, body);
      return async () => reply;
    },
  });
  implement(app, ctx, contract.listTranslationSources, {
    policy: people,
    handle: async ({ ctx, query, locale }) => await listSources(ctx, query.locale ?? locale),
  });
  implement(app, ctx, contract.readArticleTranslation, {
    policy: people,
    handle: async ({ ctx, viewer, params }) => await translateArticle(ctx, viewer, params),
  });
}
