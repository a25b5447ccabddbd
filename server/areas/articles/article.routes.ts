import {
  createArticle,
  deleteArticle,
  listArticles,
  previewArticle,
  readArticle,
  restoreArticle,
  updateArticle,
} from '@officium/contract/content';
import type { FastifyInstance } from 'fastify';
import { everyone, people } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import * as articles from './article.service.ts';

export function articleRoutes(app: FastifyInstance, ctx: Ctx, cards: articles.ShareCards): void {
  implement(app, ctx, createArticle, {
    policy: people,
    handle: async ({ ctx, viewer, body, locale }) =>
      await articles.publishArticle(ctx, viewer, { ...body, locale: body.locale ?? locale }),
  });
  implement(app, ctx, previewArticle, {
    policy: people,
    handle: async ({ ctx, viewer, body, locale }) =>
      await articles.previewArticle(ctx, viewer, { source: body.body, locale: body.locale ?? locale }),
  });
  implement(app, ctx, updateArticle, {
    policy: people,
    handle: async ({ ctx, viewer, params: { slug }, body: { basedOn, ...input } }) =>
      void (await articles.editArticle(ctx, viewer, { slug, input, cards, ...(basedOn ? { basedOn } : {}) })),
  });
  implement(app, ctx, deleteArticle, {
    policy: people,
    handle: async ({ ctx, viewer, params: { slug } }) =>
      void (await articles.deleteArticle(ctx, viewer, { slug, cards })),
  });
  implement(app, ctx, restoreArticle, {
    policy: people,
    handle: async ({ ctx, viewer, params: { slug } }) =>
      void (await articles.restoreArticle(ctx, viewer, { slug, cards })),
  });
  implement(app, ctx, listArticles, {
    policy: everyone,
    handle: async ({ ctx, viewer, query }) => await articles.listArticlesFor(ctx, viewer, query),
  });
  implement(app, ctx, readArticle, {
    policy: everyone,
    handle: async ({ ctx, viewer, params }) => await articles.readArticlePage(ctx, viewer, params.slug),
  });
}
