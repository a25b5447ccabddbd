import { readCourse, readLesson } from '@officium/contract/learner';
import type { FastifyInstance } from 'fastify';
import { everyone } from '#server/access/policies.ts';
import { isActive } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { signMedia } from '#server/areas/catalogue/media-access.policy.ts';
import { implement } from '#server/http/implement.ts';
import * as courses from './course.service.ts';
import { toCourse, toLesson } from './course.view.ts';

export function courseRoutes(app: FastifyInstance, root: Ctx): void {
  const { publicUrl } = root.config;

  implement(app, root, readCourse, {
    policy: everyone,
    handle: async ({ ctx, viewer, params, locale }) => {
      const { course, page, journeys } = await courses.readCourse(ctx, viewer, params.courseSlug);
      const sells = ctx.paymentProvider !== undefined;
      return toCourse(course, page, journeys, { locale, publicUrl, isSignedIn: isActive(viewer), sells });
    },
  });

  implement(app, root, readLesson, {
    policy: everyone,
    handle: async ({ ctx, viewer, params, locale }) => {
      const { course, journey, page } = await courses.readLesson(ctx, viewer, { ...params, locale });
      const text = { html: page.html ?? '', keys: page.asset_keys };
      const shown = { ...page, html: signMedia(ctx.seal.hash, text, ctx.clock.now()) };
      return toLesson(course, journey, shown, { locale, publicUrl });
    },
  });
}
