import * as contract from '@officium/contract/lesson-shares';
import type { FastifyInstance } from 'fastify';
import { people } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import { listLessonShares, listSharedDiscussions, shareLessonActivity } from './lesson-share.service.ts';

export function lessonShareRoutes(app: FastifyInstance, root: Ctx): void {
  implement(app, root, contract.shareLessonActivity, {
    policy: people,
    limitByAccount: { max: 60, windowSeconds: 3600 },
    handle: async ({ ctx, viewer, locale, params: { activityId, ...path }, body, http }) => {
      const input = { ...body, locale: body.locale ?? locale };
      const { successful, failed } = await shareLessonActivity(ctx, viewer, { id: activityId, path }, input);
      if (failed.length === 0) return { successful };
      http.status(207);
      return { successful, failed };
    },
  });
  implement(app, root, contract.listLessonShares, {
    policy: people,
    handle: async ({ ctx, viewer, locale, params, query }) => ({
      shares: await listLessonShares(ctx, { viewer, locale }, params, query.activities),
    }),
  });
  implement(app, root, contract.listSharedDiscussions, {
    policy: people,
    handle: async ({ ctx, viewer, locale, params, query }) => ({
      discussions: await listSharedDiscussions(ctx, { viewer, locale }, { ...params, ids: query.activities }),
    }),
  });
}
