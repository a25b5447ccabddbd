import { Uuid } from '@officium/contract/common';
import * as contract from '@officium/contract/notifications';
import type { FastifyInstance } from 'fastify';
import { everyone } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import { viewerOf } from '#server/http/session.ts';
import { createStreams } from './stream.service.ts';

export function streamRoutes(app: FastifyInstance, root: Ctx): void {
  const streams = createStreams(root);
  // Fastify waits for open requests before it closes; these would never end by themselves.
  app.addHook('preClose', async () => streams.close());

  implement(app, root, contract.streamNotifications, {
    policy: everyone,
    handle: async ({ query, http }) => {
      const last = Uuid.safeParse(http.request.headers['last-event-id']);
      const stream = await streams.open({
        authenticate: async () => await viewerOf(root, http.request, { isAsked: false }),
        address: http.address,
        community: query.community,
        since: last.success ? last.data : query.since,
      });
      http.header('content-type', 'text/event-stream; charset=utf-8');
      http.header('x-accel-buffering', 'no');
      return stream;
    },
  });
}
