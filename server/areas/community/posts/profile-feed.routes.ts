import * as contract from '@officium/contract/people';
import type { FastifyInstance } from 'fastify';
import { people } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import { JsonText } from '#server/http/replies.ts';
import { listProfileActivities } from './profile-feed.service.ts';

/** Operations of the contract's service people, served here because they read activities. */
export function profileFeedRoutes(app: FastifyInstance, ctx: Ctx): void {
  implement(app, ctx, contract.listProfileActivities, {
    policy: people,
    handle: async ({ ctx, viewer, locale, params, query }) =>
      new JsonText(await listProfileActivities(ctx, { viewer, locale }, { ...query, ref: params.id })),
  });
  implement(app, ctx, contract.listMyActivities, {
    policy: people,
    handle: async ({ ctx, viewer, locale, params, query }) =>
      new JsonText(await listProfileActivities(ctx, { viewer, locale }, { ...query, ref: params.id })),
  });
}
