import { ENDPOINTS } from '@officium/contract/services';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Ctx } from '../ctx.ts';
import { AppError, notFound } from '../errors.ts';
import { docsPage, DOCS_STYLE, type Document } from './docs-page.ts';
import { publishedDocument } from './openapi-published.ts';
import { openApiDocument } from './openapi.ts';
import type { Measurements } from './measurements.ts';
import { servesMetrics } from './metrics.ts';
import { VERSION } from '../version.ts';
import { sessionCookieName } from './session.ts';

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** Health, readiness, metrics and the API's documentation. `isDraining` turns readiness off before the process ends. */
export function platformRoutes(
  app: FastifyInstance,
  ctx: Ctx,
  isDraining: () => boolean,
  measurements: Measurements,
): void {
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown';
    measurements.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
    done();
  });

  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async (_, reply) => {
    reply.header('cache-control', 'no-store');
    if (isDraining()) throw new AppError('server.unavailable', { message: 'Shutting down.' });
    await sql`select 1 from migrations limit 1`.execute(ctx.db).catch((cause: unknown) => {
      throw new AppError('server.unavailable', { message: 'The database is not ready.' }, { cause });
    });
    return {
      status: 'ready',
      ...(ctx.replica && { replica: ctx.replica.standing().fault ?? 'read' }),
      ...(ctx.redis && { redis: ctx.redis.isUp() ? 'up' : 'away' }),
    };
  });
  app.get('/metrics', async (request, reply) => {
    if (!servesMetrics(ctx.config, request.raw)) throw notFound();
    return reply.header('content-type', measurements.contentType).send(await measurements.text());
  });

  // Made when first asked for: it takes half a second that most processes never need.
  const document = once(() =>
    openApiDocument(ENDPOINTS, {
      url: ctx.config.publicUrl,
      version: VERSION,
      cookie: sessionCookieName(ctx.config),
    }),
  );
  // Bytes, which all answers share: a text would be copied for each client that reads slowly.
  const text = once(() => Buffer.from(JSON.stringify(publishedDocument(document()))));
  app.get('/api/openapi.json', async (_, reply) =>
    reply
      .header('content-type', 'application/json; charset=utf-8')
      .header('cache-control', 'public, max-age=300')
      .send(text()),
  );
  const page = once(() => Buffer.from(docsPage(document() as unknown as Document))); // the same document, seen as the page reads it
  app.get('/api/docs', async (_, reply) => reply.header('content-type', 'text/html; charset=utf-8').send(page()));
  app.get('/api/docs.css', async (_, reply) =>
    reply.header('content-type', 'text/css; charset=utf-8').send(DOCS_STYLE),
  );
}
