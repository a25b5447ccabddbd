// Raw SQL: the table of migrations has no generated type.
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Ctx } from '../ctx.ts';
import { AppError, notFound } from '../errors.ts';
import type { Measurements } from '#server/metrics/measurements.ts';
import { servesMetrics } from '#server/metrics/metrics.ts';

/** Health, readiness and metrics. `isDraining` turns readiness off before the process stops. */
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
      ...(ctx.replica && { replica: ctx.replica.status().fault ?? 'read' }),
      ...(ctx.redis && { redis: ctx.redis.isUp() ? 'up' : 'away' }),
    };
  });
  app.get('/metrics', async (request, reply) => {
    if (!servesMetrics(ctx.config, request.raw)) throw notFound();
    return reply.header('content-type', measurements.contentType).send(await measurements.text());
  });
}
