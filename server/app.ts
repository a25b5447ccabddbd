import { randomUUID } from 'node:crypto';
import cookie from '@fastify/cookie';
import helmet from '@fastify/helmet';
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import { areaRoutes } from './areas.ts';
import type { Ctx } from './ctx.ts';
import { AppError } from './errors.ts';
import { refuseUnreadable } from './http/client-error.ts';
import { sendError } from './http/errors.ts';
import { platformRoutes } from './http/platform.ts';
import { RequestLog } from './http/request-log.ts';

export type AppOptions = {
  /** Adds the pages; left out in tests of the API alone. */
  mountPages?: (app: FastifyInstance) => Promise<void>;
  isDraining?: () => boolean;
};

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
    bodyLimit: 1024 * 1024,
    trustProxy: ctx.config.trustProxy.length > 0 ? ctx.config.trustProxy : false,
    requestTimeout: 30_000,
    routerOptions: { maxParamLength: 4096 },
    return503OnClosing: true,
    // An address that cannot be decoded; Fastify's own answer would repeat it. Hooks have not run.
    frameworkErrors: (error, request, reply) =>
      void sendError(error, request, reply.header('x-request-id', request.id)),
    clientErrorHandler: refuseUnreadable,
    forceCloseConnections: 'idle',
  });

  app.setErrorHandler((error, request, reply) => sendError(error, request, reply));
  app.setNotFoundHandler(async (request, reply) => sendError(new AppError('request.not_found'), request, reply));
  app.addHook('onRequest', async (request, reply) => void reply.header('x-request-id', request.id));

  // After the answer, so after the commit.
  app.addHook('onResponse', async (request, reply) => {
    if (request.method !== 'GET' && request.method !== 'HEAD' && reply.statusCode < 400) ctx.news.touch();
  });

  await app.register(cookie);
  await app.register(helmet, {
    enableCSPNonces: true,
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:', 'https:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        manifestSrc: ["'self'"],
        workerSrc: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        ...(ctx.config.secure ? { upgradeInsecureRequests: [] } : {}),
      },
    },
    hsts: ctx.config.secure ? { maxAge: 31_536_000, includeSubDomains: false } : false,
    xFrameOptions: { action: 'deny' },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    crossOriginEmbedderPolicy: false,
  });

  // JSON only; an empty body is no body.
  app.removeAllContentTypeParsers();
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) => {
    if (text === '') done(null, undefined);
    else parseJson(request, text as string, done); // parseAs: 'string' makes it one
  });

  platformRoutes(app, ctx, options.isDraining ?? (() => false));
  areaRoutes(app, ctx);
  await options.mountPages?.(app);
  return app;
}
