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
    // Nothing is written, so nothing can happen twice; a key would hold a connection while a provider thinks.
    keyed: false,
    handle: async ({ ctx, viewer, body }) => await translateText(ctx, viewer, body),
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
