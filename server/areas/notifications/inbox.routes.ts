import * as contract from '@officium/contract/notifications';
import type { FastifyInstance } from 'fastify';
import { people } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import * as inbox from './inbox.service.ts';

export function inboxRoutes(app: FastifyInstance, root: Ctx): void {
  implement(app, root, contract.listNotifications, {
    policy: people,
    handle: async ({ ctx, viewer, locale, query }) => await inbox.listNotifications(ctx, { viewer, locale }, query),
  });
  implement(app, root, contract.countNotifications, {
    policy: people,
    handle: async ({ ctx, viewer }) => await inbox.countUnread(ctx, viewer),
  });
  implement(app, root, contract.readNotification, {
    policy: people,
    handle: async ({ ctx, viewer, params }) => await inbox.readOne(ctx, viewer, params.id),
  });
  implement(app, root, contract.readAllNotifications, {
    policy: people,
    handle: async ({ ctx, viewer }) => await inbox.readAll(ctx, viewer),
  });
}
