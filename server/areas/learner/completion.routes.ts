import { completeLesson, listMyLessons, recordMyLesson } from '@officium/contract/learner';
import type { FastifyInstance } from 'fastify';
import { people } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import * as completions from './completion.service.ts';
import { toLessonCompletion } from './completion.view.ts';

export function completionRoutes(app: FastifyInstance, root: Ctx): void {
  implement(app, root, completeLesson, {
    policy: people,
    handle: async ({ ctx, viewer, params, locale }) => {
      await completions.completeLesson(ctx, viewer, { ...params, locale });
      return undefined;
    },
  });

  implement(app, root, recordMyLesson, {
    policy: people,
    handle: async ({ ctx, viewer, body, locale }) =>
      toLessonCompletion(await completions.recordLesson(ctx, viewer, { ...body, locale })),
  });

  implement(app, root, listMyLessons, {
    policy: people,
    handle: async ({ ctx, viewer }) => {
      const rows = await completions.listMyCompletions(ctx, viewer);
      return { lessons: rows.map(toLessonCompletion), total: rows.length };
    },
  });
}
