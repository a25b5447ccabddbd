import * as contract from '@officium/contract/lesson-discussions';
import type { FastifyInstance } from 'fastify';
import { people } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import { JsonText } from '#server/http/replies.ts';
import * as discussions from './lesson-discussion.service.ts';
import * as reactions from '../reactions/reaction.service.ts';

export function lessonDiscussionRoutes(app: FastifyInstance, root: Ctx): void {
  activityRoutes(app, root);
  reactionRoutes(app, root);
}

function activityRoutes(app: FastifyInstance, root: Ctx): void {
  implement(app, root, contract.listLessonActivities, {
    policy: people,
    handle: ({ ctx, viewer, locale, params, query }) =>
      discussions.listLessonActivities(ctx, { viewer, locale }, params, query),
  });

  implement(app, root, contract.createLessonActivity, {
    policy: people,
    handle: ({ ctx, viewer, params, body }) => discussions.createLessonActivity(ctx, viewer, params, body.body),
  });

  implement(app, root, contract.readLessonActivity, {
    policy: people,
    handle: ({ ctx, viewer, locale, params }) =>
      discussions.readLessonActivity(ctx, { viewer, locale }, params, params.activityId),
  });

  implement(app, root, contract.updateLessonActivity, {
    policy: people,
    handle: async ({ ctx, viewer, params, body }) => {
      await discussions.updateLessonActivity(ctx, viewer, params, params.activityId, body.body);
      return { updated: true as const };
    },
  });

  implement(app, root, contract.deleteLessonActivity, {
    policy: people,
    handle: async ({ ctx, viewer, params }) => {
      await discussions.deleteLessonActivity(ctx, viewer, params, params.activityId);
      return { deleted: true as const };
    },
  });
}

function reactionRoutes(app: FastifyInstance, root: Ctx): void {
  implement(app, root, contract.createLessonReaction, {
    policy: people,
    handle: async ({ ctx, viewer, params, body }) => {
      const lesson = await discussions.openLesson(ctx.db, viewer, params);
      return new JsonText(await reactions.createReaction(ctx, viewer, lesson, { activityId: params.activityId }, body));
    },
  });

  implement(app, root, contract.listLessonReactions, {
    policy: people,
    handle: async ({ ctx, viewer, params, query }) => {
      const lesson = await discussions.openLesson(ctx.db, viewer, params);
      return new JsonText(await reactions.listReactions(ctx, viewer, lesson, { activityId: params.activityId }, query));
    },
  });

  implement(app, root, contract.createLessonChildReaction, {
    policy: people,
    handle: async ({ ctx, viewer, params, body }) => {
      const lesson = await discussions.openLesson(ctx.db, viewer, params);
      return new JsonText(await reactions.createReaction(ctx, viewer, lesson, { reactionId: params.reactionId }, body));
    },
  });

  implement(app, root, contract.listLessonChildReactions, {
    policy: people,
    handle: async ({ ctx, viewer, params, query }) => {
      const lesson = await discussions.openLesson(ctx.db, viewer, params);
      return new JsonText(await reactions.listReactions(ctx, viewer, lesson, { reactionId: params.reactionId }, query));
    },
  });

  implement(app, root, contract.updateLessonReaction, {
    policy: people,
    handle: async ({ ctx, viewer, params, body: { content, locale } }) => {
      const lesson = await discussions.openLesson(ctx.db, viewer, params);
      return new JsonText(
        await reactions.editReaction(ctx, viewer, lesson, params.reactionId, { body: content, locale }),
      );
    },
  });

  implement(app, root, contract.deleteLessonReaction, {
    policy: people,
    handle: async ({ ctx, viewer, params }) => {
      const open: reactions.OpenDiscussion = async (db) => await discussions.openLesson(db, viewer, params);
      await reactions.deleteReaction(ctx, viewer, open, params.reactionId);
      return { deleted: true as const };
    },
  });
}
