import { completeMicrocourse, listMyMicrocourses } from '@officium/contract/learner';
import type { FastifyInstance } from 'fastify';
import { people } from '#server/access/policies.ts';
import { toMicrocourseCard } from '#server/areas/catalogue/catalogue.view.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import * as microcourses from './microcourse.service.ts';

export function microcourseRoutes(app: FastifyInstance, root: Ctx): void {
  implement(app, root, completeMicrocourse, {
    policy: people,
    handle: async ({ ctx, viewer, params }) => void (await microcourses.completeMicrocourse(ctx, viewer, params.slug)),
  });

  implement(app, root, listMyMicrocourses, {
    policy: people,
    handle: async ({ ctx, viewer, locale }) => {
      const completed = await microcourses.listMyMicrocourses(ctx, viewer);
      return {
        microcourses: completed.map(({ row, completedAt }) => ({
          ...toMicrocourseCard(row, locale),
          completedAt: completedAt.toISOString(),
        })),
        total: completed.length,
      };
    },
  });
}
