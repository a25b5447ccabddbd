import * as contract from '@officium/contract/community';
import { explainActivityRank } from '@officium/contract/ranks';
import type { FastifyInstance } from 'fastify';
import { everyone, people } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import { JsonText, SharedJson } from '#server/http/replies.ts';
import { createActivity, deleteActivity, listActivities, updateActivity, walkActivities } from './activity.service.ts';
import { explainRank } from '../reading/rank.service.ts';
import { readPost } from '../reading/post.service.ts';

export function activityRoutes(app: FastifyInstance, ctx: Ctx): void {
  implement(app, ctx, contract.listActivities, {
    policy: everyone,
    handle: async ({ ctx, viewer, locale, params, query, http }) => {
      const { cursor, ...feed } = { ...params, ...query };
      if (cursor !== undefined)
        return new JsonText(await walkActivities(ctx, { viewer, locale }, { ...feed, cursor }, http.address));
      const page = await listActivities(ctx, { viewer, locale }, feed);
      return typeof page === 'string' ? new JsonText(page) : new SharedJson(page);
    },
  });
  implement(app, ctx, contract.createActivity, {
    policy: people,
    handle: async ({ ctx, viewer, locale, params, body }) =>
      new JsonText(await createActivity(ctx, { viewer, locale }, params.slug, body)),
  });
  implement(app, ctx, contract.readActivity, {
    policy: everyone,
    handle: async ({ ctx, viewer, locale, params }) => new JsonText(await readPost(ctx, { viewer, locale }, params)),
  });
  implement(app, ctx, explainActivityRank, {
    policy: everyone,
    handle: async ({ ctx, viewer, params, query }) => await explainRank(ctx, viewer, { ...params, ...query }),
  });
  implement(app, ctx, contract.updateActivity, {
    policy: people,
    handle: async ({ ctx, viewer, locale, params, body }) =>
      new JsonText(await updateActivity(ctx, { viewer, locale }, params, body)),
  });
  implement(app, ctx, contract.deleteActivity, {
    policy: people,
    handle: async ({ ctx, viewer, params }) => void (await deleteActivity(ctx, viewer, params)),
  });
}
