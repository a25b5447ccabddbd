import { completeLesson, listMyLessons, recordMyLesson } from '@officium/contract/learner';
import { listLessonCompletions, recordLessonCompletion } from '@officium/contract/people-records';
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

  // Two operations of the contract serve the same record.
  for (const endpoint of [recordMyLesson, recordLessonCompletion])
    implement(app, root, endpoint, {
      policy: people,
      handle: async ({ ctx, viewer, body, locale }) =>
        toLessonCompletion(await completions.recordLesson(ctx, viewer, { ...body, locale })),
    });

  for (const endpoint of [listMyLessons, listLessonCompletions])
    implement(app, root, endpoint, {
      policy: people,
      handle: async ({ ctx, viewer }) => {
        const rows = await completions.listMyCompletions(ctx, viewer);
        return { lessons: rows.map(toLessonCompletion), total: rows.length };
      },
    });
}
