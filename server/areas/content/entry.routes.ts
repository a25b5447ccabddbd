import { indexEntry, readEntrySlug, reindexEntry } from '@officium/contract/content';
import type { FastifyInstance } from 'fastify';
import { contentPlatform, everyone } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import { actionOf, readEvent } from './entry-event.ts';
import { readSlug, takeEvent } from './entry.service.ts';

/** Contentful's own name for its JSON, beside application/json. */
const PLATFORM_JSON = /^application\/vnd\.contentful\.management\.v\d+\+json\s*(;|$)/;

export function entryRoutes(app: FastifyInstance, ctx: Ctx): void {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser(PLATFORM_JSON, { parseAs: 'string' }, (request, text, done) => {
    parseJson(request, text as string, done); // parseAs: 'string' makes it one
  });

  implement(app, ctx, readEntrySlug, {
    policy: everyone,
    handle: async ({ ctx, viewer, params, query }) => ({ slug: await readSlug(ctx, viewer, params.id, query.locale) }),
  });
  const actionFor = (topic: string | undefined) => (topic === undefined ? 'publish' : actionOf(topic));
  implement(app, ctx, indexEntry, {
    policy: contentPlatform,
    handle: async ({ ctx, headers, body, http }) => {
      const action = actionFor(headers['x-contentful-topic']);
      const event = readEvent(body, action, headers['x-contentful-version']);
      return void (await takeEvent(ctx, event, http.requestId));
    },
  });
  implement(app, ctx, reindexEntry, {
    policy: contentPlatform,
    handle: async ({ ctx, headers, body, http }) => {
      const action = actionFor(headers['x-contentful-topic']);
      return await takeEvent(ctx, readEvent(body, action, headers['x-contentful-version']), http.requestId);
    },
  });
}
