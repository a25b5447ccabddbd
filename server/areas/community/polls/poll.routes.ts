import {
  castVote,
  createCommunityPoll,
  createPoll,
  readPoll,
  removeCommunityPoll,
  removePoll,
  retractVote,
} from '@officium/contract/polls';
import type { FastifyInstance } from 'fastify';
import { people } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import { JsonText } from '#server/http/replies.ts';
import * as polls from './poll.service.ts';
import * as votes from './vote.service.ts';

export function pollRoutes(app: FastifyInstance, root: Ctx): void {
  implement(app, root, createCommunityPoll, {
    policy: people,
    handle: ({ ctx, viewer, params, body }) => polls.createPoll(ctx, viewer, { slug: params.slug, poll: body }),
  });

  implement(app, root, createPoll, {
    policy: people,
    handle: ({ ctx, viewer, body }) => polls.createPoll(ctx, viewer, { slug: null, poll: body }),
  });

  implement(app, root, readPoll, {
    policy: people,
    handle: async ({ ctx, viewer, locale, params }) =>
      new JsonText(await polls.readPoll(ctx, { viewer, locale }, params.id)),
  });

  implement(app, root, removeCommunityPoll, {
    policy: people,
    handle: ({ ctx, viewer, params }) => polls.removePoll(ctx, viewer, { slug: params.slug, pollId: params.id }),
  });

  implement(app, root, removePoll, {
    policy: people,
    handle: ({ ctx, viewer, params }) => polls.removePoll(ctx, viewer, { slug: null, pollId: params.id }),
  });

  implement(app, root, castVote, {
    policy: people,
    handle: ({ ctx, viewer, params, body }) => votes.castVote(ctx, viewer, { optionId: params.id, detail: body }),
  });

  implement(app, root, retractVote, {
    policy: people,
    handle: ({ ctx, viewer, params }) => votes.retractVote(ctx, viewer, params.id),
  });
}
