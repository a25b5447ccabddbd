import { randomUUID } from 'node:crypto';
import { Socket } from 'node:net';
import cookie from '@fastify/cookie';
import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { areaRoutes } from './routes.ts';
import type { Ctx } from '#server/ctx.ts';
import { AppError } from '#server/errors.ts';
import { bareHeaders } from '#server/http/bare-headers.ts';
import { refuseUnreadable } from '#server/http/client-error.ts';
import { sendError } from '#server/http/errors.ts';
import { BODY_LIMIT } from '#server/http/implement.ts';
import { jsonSchemaOf } from '#server/http/replies.ts';
import { createMeasurements, type Measurements } from '#server/metrics/measurements.ts';
import { apiDocsRoutes } from '#server/http/api-docs.ts';
import { platformRoutes } from '#server/http/platform.ts';
import { trustedProxies } from '#server/http/proxies.ts';
import { RequestLog } from '#server/http/request-log.ts';
import { sendSafeHeaders } from '#server/http/safe-headers.ts';
import { endSilentConnections } from '#server/http/silent-connections.ts';
import { limitSlowBodies } from '#server/http/slow-bodies.ts';
import { pagesRoutes } from '#server/feeds/pages.routes.ts';
import type { PageFonts } from '#server/status/page.ts';
import { statusRoutes } from '#server/status/status.routes.ts';

export type AppOptions = {
  /** Adds the pages; left out in tests of the API alone. */
  mountPages?: (app: FastifyInstance) => Promise<void>;
  /** Fonts for pages outside the application; those of the system by default. */
  fonts?: PageFonts;
  isDraining?: () => boolean;
  measurements?: Measurements;
  /** Whether requests are refused because of overload; health checks are still answered. */
  isOverloaded?: () => boolean;
  /** How long a connection may be silent in both directions; a minute by default. */
  idleMs?: number;
};

/** Monitoring endpoints are served even under overload. */
const WATCHED = new Set(['/healthz', '/readyz', '/metrics', '/status', '/status.json']);

/** Compiles a serializer with the first answer of its operation: compiling all at once takes a third of the start. */
function whenFirstAnswered(...given: Parameters<ReturnType<typeof SerializerSelector>>) {
  const compile = SerializerSelector()(...given);
  return (route: Parameters<typeof compile>[0]) => {
    let serialize: ReturnType<typeof compile> | undefined;
    return (answer: unknown) =>
      (serialize ??= compile({ ...route, schema: jsonSchemaOf(route.schema as z.ZodType) }))(answer); // set by implement.ts
  };
}

/** The whole application on one Fastify: frame, API, pages. */
export async function buildApp(ctx: Ctx, options: AppOptions = {}): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: ctx.log as FastifyBaseLogger,
    logController: new RequestLog({
      disableRequestLogging: ctx.config.mode === 'test',
      requestIdLogLabel: 'requestId',
    }),
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    bodyLimit: BODY_LIMIT,
    trustProxy: trustedProxies(ctx.config.trustProxy),
    // A client that does not read would keep its answer in memory. Longer than the heartbeat interval of a stream.
    connectionTimeout: options.idleMs ?? 60_000,
    // The limit of a whole URL part; the contract limits each parameter.
    routerOptions: { maxParamLength: 16 * 1024 },
    return503OnClosing: true,
    // Undecodable addresses, which Fastify's own answer would repeat. Hooks have not run.
    frameworkErrors: (error, request, reply) =>
      void sendError(error, request, reply.headers(bareHeaders(request.id, ctx.config))),
    clientErrorHandler: (error, socket) => refuseUnreadable(error, { socket, secure: ctx.config.secure }),
    schemaController: { compilersFactory: { buildSerializer: whenFirstAnswered } },
    forceCloseConnections: 'idle',
  });

  app.setErrorHandler((error, request, reply) => sendError(error, request, reply));
  app.setNotFoundHandler(async (request, reply) => sendError(new AppError('request.not_found'), request, reply));
  sendSafeHeaders(app, ctx.config);
  endSilentConnections(app);
  app.server.headersTimeout = 30_000;
  limitSlowBodies(app);

  const { isDraining = () => false, isOverloaded = () => false, measurements = createMeasurements(ctx) } = options;
  app.addHook('onRequest', (request, reply, done) => {
    // A client that kept the connection would lose its next request.
    if (isDraining()) reply.header('connection', 'close');
    // In-process requests of pages have no connection; the page itself was admitted already.
    const isRefused =
      isOverloaded() && request.raw.socket instanceof Socket && !WATCHED.has(request.routeOptions.url ?? '');
    done(isRefused ? new AppError('server.unavailable', { retryAfterSeconds: 2, message: 'Too busy.' }) : undefined);
  });

  // After the answer, so after the commit.
  app.addHook('onResponse', (request, reply, done) => {
    if (request.method !== 'GET' && request.method !== 'HEAD' && reply.statusCode < 400) ctx.news.touch();
    done();
  });

  await app.register(cookie);
  // JSON only; an empty body counts as none.
  app.removeAllContentTypeParsers();
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) => {
    if (text === '') done(null, undefined);
    else parseJson(request, text as string, done); // parseAs: 'string' makes it a string
  });

  platformRoutes(app, ctx, isDraining, measurements);
  apiDocsRoutes(app, ctx);
  areaRoutes(app, ctx);
  statusRoutes(app, ctx, options.fonts);
  pagesRoutes(app, ctx);
  await options.mountPages?.(app);
  return app;
}
