import { mountedPath, usualStatus, type Endpoint, type InputOf, type ReplyOf } from '@officium/contract/endpoint';
import { LOCALES, type Locale } from '@officium/contract/common';
import { negotiateLocale } from '@officium/i18n/negotiate';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Policy } from '../access/policies.ts';
import { requireMay, type RolePlace } from '../access/roles.ts';
import { ANONYMOUS, isUser, viewerId, type ServiceViewer, type UserViewer, type Viewer } from '../access/viewer.ts';
import type { Ctx } from '../ctx.ts';
import { AppError } from '../errors.ts';
import { admit, requireWebhookKey } from './admission.ts';
import { callerOf, once, onceAsked, type OpenedSession, readIdempotencyKey, scopedKey } from './idempotency.ts';
import { sendError } from './errors.ts';
import { answerPreview, previewOf } from './learner-preview.ts';
import { parseInput } from './input.ts';
import {
  addressKey,
  sendLimitHeaders,
  takeLimit,
  takeAddressLimit,
  type Limit,
  type LimitState,
} from '#server/limits/limits.ts';
import { answerRead, leaveMark, mayWrite } from './reads.ts';
import { type FileReply, JsonText, replySchemas, sendResult, type SharedJson } from './replies.ts';
import { clearSessionCookie, deviceCookieName, setDeviceCookie, setSessionCookie } from './session.ts';

/** The body limit of operations without their own. */
export const BODY_LIMIT = 1024 * 1024;

export type ViewerOf<E extends Endpoint> = E['auth'] extends 'none' | 'webhook'
  ? Viewer
  : E['auth'] extends 'service'
    ? ServiceViewer | UserViewer
    : UserViewer;

/** The parts of HTTP a handler may use. */
export type Http = {
  requestId: string;
  address: string;
  userAgent: string | undefined;
  /** The cookie set by `rememberDevice`. */
  device: string | undefined;
  request: FastifyRequest;
  status(code: number): void;
  header(name: string, value: string): void;
  openSession(token: string, maxAgeSeconds?: number): void;
  closeSession(): void;
  rememberDevice(token: string): void;
};

export type Call<E extends Endpoint> = InputOf<E> & { ctx: Ctx; viewer: ViewerOf<E>; locale: Locale; http: Http };

type Handles<E extends Endpoint> = {
  handle(call: Call<E>): Promise<ReplyOf<E> | JsonText | SharedJson | FileReply>;
  ask?: undefined;
};
/**
 * For operations that wait for an outside service: `ask` writes nothing, and returns the function that writes and
 * answers.
 */
type Asks<E extends Endpoint> = {
  ask(call: Call<E>): Promise<(ctx: Ctx) => Promise<ReplyOf<E>>>;
  handle?: undefined;
};

export type Implementation<E extends Endpoint> = (Handles<E> | Asks<E>) & {
  policy: Policy;
  /** With a capability: the place in which the viewer needs it. Left out where the service decides. */
  place?: (input: InputOf<E>) => RolePlace;
  /** The rate limit per address, over all nodes. */
  limitByAddress?: Limit;
  /** The rate limit per account, over all nodes. */
  limitByAccount?: Limit;
  /**
   * false: an Idempotency-Key is accepted but ignored, because the operation counts attempts that must persist.
   * by-address: the key belongs to the address, because a retry may have the session by then.
   */
  keyed?: boolean | 'by-address';
  /** The body of a refusal, where the specification gives this operation its own; undefined: the usual one. */
  refusal?: (error: AppError) => Record<string, unknown> | undefined;
};

/** All implemented operations, to check that the whole contract is served. */
export const implemented = new WeakMap<FastifyInstance['server'], Set<string>>();

/** The date on which the contract deprecated its operations, in the format of RFC 9745. */
const DEPRECATED_SINCE = '@1767225600';

function asLocale(value: unknown): Locale | undefined {
  return value === undefined ? undefined : LOCALES.find((locale) => locale === value);
}

function localeOf({ site }: Ctx, request: FastifyRequest, viewer: Viewer): Locale {
  const query = request.query as { locale?: unknown } | undefined; // parsed by Fastify, values unknown
  const body = request.body as { locale?: unknown } | undefined | null; // parsed by Fastify, values unknown
  const sources = {
    explicit: asLocale(query?.locale) ?? asLocale(body?.locale),
    user: viewer.kind === 'user' && viewer.localeChosen ? viewer.locale : undefined,
    cookie: request.cookies['locale'],
    acceptLanguage: request.headers['accept-language'],
  };
  return negotiateLocale(sources, site.current());
}

function httpOf(
  ctx: Ctx,
  request: FastifyRequest,
  reply: FastifyReply,
  noteSession: (session: OpenedSession) => void,
): Http {
  return {
    requestId: request.id,
    address: request.ip,
    userAgent: request.headers['user-agent'],
    device: request.cookies[deviceCookieName(ctx.config)],
    request,
    status: (code) => void reply.code(code),
    header: (name, value) => void reply.header(name, value),
    openSession: (token, maxAgeSeconds) => {
      setSessionCookie(reply, ctx.config, token, maxAgeSeconds);
      noteSession({ token, maxAgeSeconds });
    },
    closeSession: () => clearSessionCookie(reply, ctx.config),
    rememberDevice: (token) => setDeviceCookie(reply, ctx.config, token),
  };
}

/** Repeats the session cookie to a client that may have missed it, while the session is valid. */
async function openAgain(ctx: Ctx, reply: FastifyReply, { token, maxAgeSeconds }: OpenedSession): Promise<void> {
  if (await ctx.sessions.find(token)) setSessionCookie(reply, ctx.config, token, maxAgeSeconds);
}

/** Whether the operation accepts larger bodies than most, such as files. */
const isLarge = ({ bodyLimit = 0, upload }: Endpoint) => upload !== undefined || bodyLimit > BODY_LIMIT;

/** Counts the request against the operation's own limits. */
async function takeOwnLimits<E extends Endpoint>(
  ctx: Ctx,
  endpoint: E,
  { limitByAddress, limitByAccount }: Implementation<E>,
  { request, reply, viewer }: { request: FastifyRequest; reply: FastifyReply; viewer: Viewer },
): Promise<void> {
  const show = (state: LimitState | undefined) => state && sendLimitHeaders(reply, state);
  if (limitByAddress) show(await takeAddressLimit(ctx, endpoint.name, request.ip, limitByAddress));
  if (limitByAccount && isUser(viewer))
    show(await takeLimit(ctx, `${endpoint.name}:${viewerId(viewer)}`, limitByAccount));
}

/** Calls the handler of a read as another viewer, who needs the same rights. */
async function answerAs<const E extends Endpoint>(
  ctx: Ctx,
  endpoint: E,
  { policy, place, handle }: Implementation<E>,
  { request, reply, viewer }: { request: FastifyRequest; reply: FastifyReply; viewer: UserViewer },
): Promise<unknown> {
  policy.check(viewer);
  const input = parseInput(endpoint, request);
  // parseInput established the type
  if (policy.capability && place) requireMay(viewer, policy.capability, place(input as InputOf<E>));
  if (!handle) throw new AppError('preview.read_only');
  const http = httpOf(ctx, request, reply, () => {});
  // parseInput and policy.check established these types
  return await handle({ ...input, ctx, viewer, locale: localeOf(ctx, request, viewer), http } as unknown as Call<E>);
}

/** Calls the handler with the parsed input, once per Idempotency-Key, and returns the reply. */
async function run<const E extends Endpoint>(
  ctx: Ctx,
  endpoint: E,
  implementation: Implementation<E>,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<unknown> {
  const preview = await previewOf(ctx, endpoint, request);
  if (preview)
    return await answerPreview(ctx, endpoint, { preview, reply }, async (previewCtx, viewer) =>
      answerAs(previewCtx, endpoint, implementation, { request, reply, viewer: { ...viewer, requestId: request.id } }),
    );
  const viewer = await admit(ctx, { endpoint, policy: implementation.policy }, { request, reply });
  await takeOwnLimits(ctx, endpoint, implementation, { request, reply, viewer });
  const input = parseInput(endpoint, request);
  const { capability } = implementation.policy;
  // parseInput established the type
  if (capability && implementation.place) requireMay(viewer, capability, implementation.place(input as InputOf<E>));
  let session: OpenedSession | undefined;
  const http = httpOf(ctx, request, reply, (opened) => {
    session = opened;
  });
  const callOf = (callCtx: Ctx) =>
    // parseInput and policy.check established these types
    ({ ...input, ctx: callCtx, viewer, locale: localeOf(ctx, request, viewer), http }) as unknown as Call<E>;
  const call = async (callCtx: Ctx) => {
    if (implementation.handle) return await implementation.handle(callOf(callCtx));
    const end = await implementation.ask(callOf(callCtx));
    return await end(callCtx);
  };

  const key = endpoint.method === 'POST' ? readIdempotencyKey(request.headers['idempotency-key']) : undefined;
  if (key === undefined || implementation.keyed === false)
    return await answerRead(ctx, endpoint, { viewer, request }, call);
  const keeper = implementation.keyed === 'by-address' && isUser(viewer) ? ANONYMOUS : viewer;
  const keyed = {
    caller: callerOf(keeper, addressKey(request.ip)),
    key: scopedKey(keeper, key),
    request: [endpoint.name, request.params, request.query, request.body ?? null],
    requestId: request.id,
  };
  const { ask } = implementation;
  const outcome = await (ask
    ? onceAsked(ctx, keyed, async () => {
        const end = await ask(callOf(ctx));
        return async (keyedCtx) => ({ body: await end(keyedCtx), status: reply.statusCode });
      })
    : once(ctx, keyed, async (keyedCtx) => {
        const body = await call(keyedCtx);
        return { status: reply.statusCode, body: body instanceof JsonText ? JSON.parse(body.text) : body, session };
      }));
  reply.code(outcome.status);
  if (!session && outcome.session) await openAgain(ctx, reply, outcome.session);
  if (outcome.status >= 400)
    reply.header('content-type', 'application/json; charset=utf-8').serializer((body: unknown) => JSON.stringify(body));
  return outcome.body;
}

/**
 * Serves one operation of the contract: checks access, parses the input, calls the handler, and writes the answer
 * through a serializer compiled from the contract, which drops everything the contract does not name.
 */
export function implement<const E extends Endpoint>(
  app: FastifyInstance,
  ctx: Ctx,
  endpoint: E,
  implementation: Implementation<E>,
): void {
  const { policy, refusal } = implementation;
  if (!policy?.serves.includes(endpoint.auth))
    throw new Error(`${endpoint.name} (${endpoint.auth}) has no policy that serves it`);
  if (policy.capability !== endpoint.capability)
    throw new Error(`${endpoint.name} names the capability ${endpoint.capability}, its policy ${policy.capability}`);

  /** Large bodies are read only for callers who may send them; access is checked again after the upload. */
  const beforeBody =
    endpoint.auth === 'webhook'
      ? async (request: FastifyRequest) => requireWebhookKey(ctx, request)
      : isLarge(endpoint)
        ? async (request: FastifyRequest, reply: FastifyReply) =>
            void (await admit(ctx, { endpoint, policy }, { request, reply }))
        : undefined;

  const known = implemented.get(app.server) ?? new Set();
  known.add(endpoint.name);
  implemented.set(app.server, known);

  app.route({
    method: endpoint.method,
    url: mountedPath(endpoint).replace(/\{(\w+)\}/g, ':$1'),
    bodyLimit: endpoint.bodyLimit,
    exposeHeadRoute: false, // some GETs consume a secret
    schema: { response: replySchemas(endpoint) },
    config: { isData: endpoint.download === undefined },
    errorHandler: refusal && ((error, request, reply) => void sendError(error, request, reply, refusal)),
    onRequest: beforeBody,
    handler: async (request, reply) => {
      reply.code(usualStatus(endpoint)).header('cache-control', 'no-store');
      if (endpoint.deprecated) reply.header('deprecation', DEPRECATED_SINCE);
      const running = run(ctx, endpoint, implementation, { request, reply });
      // Also after a refusal, which may have counted or ended something.
      const result = await (mayWrite(endpoint)
        ? running.finally(() => {
            // Before the answer, so that the caller's next read cannot get a cached older state.
            if (endpoint.method !== 'GET') ctx.written.times += 1;
            return leaveMark(ctx, request, reply);
          })
        : running);
      return sendResult(endpoint, { request, reply }, result);
    },
  });
}
