import * as contract from '@officium/contract/community';
import type { FastifyInstance } from 'fastify';
import { people } from '#server/access/policies.ts';
import type { UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import type { Db } from '#server/db/client.ts';
import { implement } from '#server/http/implement.ts';
import { JsonText } from '#server/http/replies.ts';
import { openContent } from '../members/access.service.ts';
import {
  createCommunityReaction,
  deleteReaction,
  discussionOf,
  editReaction,
  listCommunityReactions,
  locateReaction,
} from './reaction.service.ts';
import type { Discussion } from '../reading/reaction-page.service.ts';

async function discussionIn(db: Db, viewer: UserViewer, slug: string): Promise<Discussion> {
  return discussionOf(await openContent(db, viewer, slug));
}

export function reactionRoutes(app: FastifyInstance, ctx: Ctx): void {
  implement(app, ctx, contract.createActivityReaction, {
    policy: people,
    handle: async ({ ctx, viewer, params: { slug, id }, body }) =>
      new JsonText(await createCommunityReaction(ctx, viewer, slug, { activityId: id }, body)),
  });
  implement(app, ctx, contract.listActivityReactions, {
    policy: people,
    handle: async ({ ctx, viewer, params: { slug, id }, query }) =>
      new JsonText(await listCommunityReactions(ctx, viewer, slug, { activityId: id }, query)),
  });
  implement(app, ctx, contract.createChildReaction, {
    policy: people,
    handle: async ({ ctx, viewer, params: { slug, id }, body }) =>
      new JsonText(await createCommunityReaction(ctx, viewer, slug, { reactionId: id }, body)),
  });
  implement(app, ctx, contract.listChildReactions, {
    policy: people,
    handle: async ({ ctx, viewer, params: { slug, id }, query }) =>
      new JsonText(await listCommunityReactions(ctx, viewer, slug, { reactionId: id }, query)),
  });
  implement(app, ctx, contract.locateReaction, {
    policy: people,
    handle: async ({ ctx, viewer, params: { slug, id } }) =>
      await locateReaction(ctx, await discussionIn(ctx.db, viewer, slug), id),
  });
  implement(app, ctx, contract.updateReaction, {
    policy: people,
    handle: async ({ ctx, viewer, params: { slug, id }, body }) =>
      new JsonText(await editReaction(ctx, viewer, await discussionIn(ctx.db, viewer, slug), id, body)),
  });
  implement(app, ctx, contract.deleteReaction, {
    policy: people,
    handle: async ({ ctx, viewer, params: { slug, id } }) =>
      void (await deleteReaction(ctx, viewer, async (db) => await discussionIn(db, viewer, slug), id)),
  });
}
