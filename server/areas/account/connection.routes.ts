import { askToConnect, listConnections, moveConnection, readConnection } from '@officium/contract/account';
import type { FastifyInstance } from 'fastify';
import { people } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import * as connections from './connection.service.ts';
import { toConnection } from './connection.view.ts';

export function connectionRoutes(app: FastifyInstance, ctx: Ctx): void {
  implement(app, ctx, askToConnect, {
    policy: people,
    handle: async ({ ctx, viewer, body }) => toConnection(await connections.ask(ctx, viewer, body.peerId), viewer),
  });
  implement(app, ctx, listConnections, {
    policy: people,
    handle: async ({ ctx, viewer, params, query }) => {
      const { rows, total } = await connections.listConnectionsOf(ctx, viewer, { ...params, ...query });
      return { connections: rows.map((row) => toConnection(row, viewer)), total };
    },
  });
  implement(app, ctx, readConnection, {
    policy: people,
    handle: async ({ ctx, viewer, params }) =>
      toConnection(await connections.readConnectionOf(ctx, viewer, params.id), viewer),
  });
  implement(app, ctx, moveConnection, {
    policy: people,
    handle: async ({ ctx, viewer, params, body }) =>
      toConnection(await connections.move(ctx, viewer, { ...params, ...body }), viewer),
  });
}
