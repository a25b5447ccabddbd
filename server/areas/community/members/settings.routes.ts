import * as contract from '@officium/contract/community-settings';
import type { FastifyInstance } from 'fastify';
import { everyone, people } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import { readSettings, updateSettings } from './settings.service.ts';

export function settingsRoutes(app: FastifyInstance, root: Ctx): void {
  implement(app, root, contract.readCommunitySettings, {
    policy: everyone,
    handle: async ({ ctx, viewer, params, query }) => await readSettings(ctx, viewer, params.slug, query),
  });
  implement(app, root, contract.updateCommunitySettings, {
    policy: people,
    // Each change of the page is stored as a version for good, and publications wait for each other.
    limitByAccount: { max: 120, windowSeconds: 3600 },
    handle: async ({ ctx, viewer, params, body }) => await updateSettings(ctx, viewer, params.slug, body),
  });
}
