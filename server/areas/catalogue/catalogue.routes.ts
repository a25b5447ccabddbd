import { joinAcademy, listAcademies, listCatalogue, readAcademy, readMicrocourse } from '@officium/contract/content';
import type { FastifyInstance } from 'fastify';
import { everyone, people } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import * as catalogue from './catalogue.service.ts';

export function catalogueRoutes(app: FastifyInstance, ctx: Ctx): void {
  implement(app, ctx, listCatalogue, {
    policy: everyone,
    handle: async ({ ctx, viewer, query, locale }) => await catalogue.listCatalogueFor(ctx, viewer, query, locale),
  });
  implement(app, ctx, listAcademies, {
    policy: everyone,
    handle: async ({ ctx, viewer, locale }) => {
      const academies = await catalogue.listAcademiesFor(ctx, viewer, locale);
      return { academies, total: academies.length };
    },
  });
  implement(app, ctx, readAcademy, {
    policy: everyone,
    handle: async ({ ctx, viewer, params, locale }) =>
      await catalogue.readAcademyBySlug(ctx, viewer, params.slug, locale),
  });
  implement(app, ctx, joinAcademy, {
    policy: people,
    handle: async ({ ctx, viewer, params }) => void (await catalogue.joinAcademyBySlug(ctx, viewer, params.slug)),
  });
  implement(app, ctx, readMicrocourse, {
    policy: everyone,
    handle: async ({ ctx, viewer, params, locale }) =>
      await catalogue.readMicrocourseBySlug(ctx, viewer, params.slug, locale),
  });
}
