import { indexEntry, readEntrySlug, reindexEntry } from '@officium/contract/content';
import type { FastifyInstance } from 'fastify';
import { contentPlatform, everyone } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { invalid } from '#server/errors.ts';
import { type Http, implement } from '#server/http/implement.ts';
import { actionOf, readEvent } from './entry-event.format.ts';
import { type EnqueueFetch, readSlug, takeEvent } from './entry.service.ts';

/** Contentful's media type for JSON, accepted besides application/json. */
const PLATFORM_JSON = /^application\/vnd\.contentful\.management\.v\d+\+json\s*(;|$)/;

/** Topic assumed when the header is missing. */
const DEFAULT_TOPIC = 'Entry.publish';

/** Reported in a header, because the specification defines the body. */
function setOnlyIndexHeader(http: Http, onlyIndex: boolean): void {
  if (onlyIndex) http.header('x-content-changed', 'index');
}

export function entryRoutes(app: FastifyInstance, ctx: Ctx, enqueueFetch: EnqueueFetch): void {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser(PLATFORM_JSON, { parseAs: 'string' }, (request, text, done) => {
    parseJson(request, text as string, done); // parseAs: 'string' makes it one
  });

  implement(app, ctx, readEntrySlug, {
    policy: everyone,
    handle: async ({ ctx, viewer, params, query }) => ({ slug: await readSlug(ctx, viewer, params.id, query.locale) }),
  });
  implement(app, ctx, indexEntry, {
    policy: contentPlatform,
    handle: async ({ ctx, headers, body, http }) => {
      const topic = headers['x-contentful-topic'] ?? DEFAULT_TOPIC;
      const event = readEvent(body, actionOf(topic), headers['x-contentful-version']);
      if (!('sys' in body) && event.action === 'publish' && !event.slug) throw invalid('slug', 'slug is required');
      const { onlyIndex } = await takeEvent(ctx, event, { topic, requestId: http.requestId, enqueueFetch });
      return void setOnlyIndexHeader(http, onlyIndex);
    },
  });
  implement(app, ctx, reindexEntry, {
    policy: contentPlatform,
    handle: async ({ ctx, headers, body, http }) => {
      const topic = headers['x-contentful-topic'] ?? DEFAULT_TOPIC;
      const event = readEvent(body, actionOf(topic), headers['x-contentful-version']);
      const { indexed, onlyIndex } = await takeEvent(ctx, event, { topic, requestId: http.requestId, enqueueFetch });
      setOnlyIndexHeader(http, onlyIndex);
      return { indexed };
    },
  });
}
