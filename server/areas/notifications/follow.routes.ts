import * as contract from '@officium/contract/follows';
import type { FastifyInstance } from 'fastify';
import { people } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import { listFollows, readFollow, setFollow } from './follow.service.ts';

export function followRoutes(app: FastifyInstance, root: Ctx): void {
  implement(app, root, contract.listFollows, {
    policy: people,
    handle: async ({ ctx, viewer, locale }) => await listFollows(ctx, { viewer, locale }),
  });
  implement(app, root, contract.readCommunityFollow, {
    policy: people,
    handle: async ({ ctx, viewer, locale, params: { slug } }) =>
      await readFollow(ctx, { viewer, locale }, { kind: 'community', id: slug }),
  });
  implement(app, root, contract.setCommunityFollow, {
    policy: people,
    handle: async ({ ctx, viewer, locale, params: { slug }, body: { level } }) =>
      await setFollow(ctx, { viewer, locale }, { kind: 'community', id: slug, level }),
  });
  implement(app, root, contract.readThreadFollow, {
    policy: people,
    handle: async ({ ctx, viewer, locale, params: { id } }) =>
      await readFollow(ctx, { viewer, locale }, { kind: 'thread', id }),
  });
  implement(app, root, contract.setThreadFollow, {
    policy: people,
    handle: async ({ ctx, viewer, locale, params: { id }, body: { level } }) =>
      await setFollow(ctx, { viewer, locale }, { kind: 'thread', id, level }),
  });
  implement(app, root, contract.readPersonFollow, {
    policy: people,
    handle: async ({ ctx, viewer, locale, params: { id } }) =>
      await readFollow(ctx, { viewer, locale }, { kind: 'person', id }),
  });
  implement(app, root, contract.setPersonFollow, {
    policy: people,
    handle: async ({ ctx, viewer, locale, params: { id }, body: { level } }) =>
      await setFollow(ctx, { viewer, locale }, { kind: 'person', id, level }),
  });
  implement(app, root, contract.setTopicFollow, {
    policy: people,
    handle: async ({ ctx, viewer, locale, params: { topic }, body: { level } }) =>
      await setFollow(ctx, { viewer, locale }, { kind: 'topic', id: topic, level }),
  });
}
