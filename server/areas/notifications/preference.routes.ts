import * as contract from '@officium/contract/notifications';
import type { FastifyInstance } from 'fastify';
import { people } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import * as preferences from './preference.service.ts';

export function preferenceRoutes(app: FastifyInstance, root: Ctx): void {
  implement(app, root, contract.readNotificationPreferences, {
    policy: people,
    handle: async ({ ctx, viewer }) => await preferences.readPreferences(ctx, viewer),
  });
  implement(app, root, contract.updateNotificationPreferences, {
    policy: people,
    handle: async ({ ctx, viewer, body }) => await preferences.updatePreferencesOf(ctx, viewer, body),
  });
}
