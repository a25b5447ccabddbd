import * as contract from '@officium/contract/people';
import type { FastifyInstance } from 'fastify';
import { people } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import { JsonText } from '#server/http/replies.ts';
import { listProfileActivities } from './profile-feed.service.ts';

/** The feeds of people: of the service people, served where activities are read. */
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
