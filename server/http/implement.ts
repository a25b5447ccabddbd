import { mountedPath, usualStatus, type Endpoint, type InputOf, type ReplyOf } from '@officium/contract/endpoint';
import { LOCALES, type Locale } from '@officium/contract/common';
import { negotiateLocale } from '@officium/i18n/negotiate';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { recordHourly } from '#server/audit/audit.ts';
import type { Policy } from '../access/policies.ts';
import { isSameSecret } from '../access/secret.ts';
import { ANONYMOUS, isUser, viewerId, type ServiceViewer, type UserViewer, type Viewer } from '../access/viewer.ts';
import type { Ctx } from '../ctx.ts';
import { AppError } from '../errors.ts';
import { callerOf, once, onceAsked, type OpenedSession, readIdempotencyKey, scopedKey } from './idempotency.ts';
import { sendError } from './errors.ts';
import { parseInput } from './input.ts';
import {
  addressKey,
  showStanding,
  takeLimit,
  takeAddressLimit,
  type Limit,
  type AllowanceStanding,
} from '#server/limits/limits.ts';
import { answerRead, leaveMark, mayWrite } from './reads.ts';
import { FileReply, JsonText, replySchemas, sendShared, SharedJson } from './replies.ts';
import { clearSessionCookie, deviceCookieName, setDeviceCookie, setSessionCookie, viewerOf } from './session.ts';

/** Of an operation that names no limit of its own. */
export const BODY_LIMIT = 1024 * 1024;

export type ViewerOf<E extends Endpoint> = E['auth'] extends 'none' | 'webhook'
  ? Viewer
  : E['auth'] extends 'service'
    ? ServiceViewer | UserViewer
    : UserViewer;

/** What of HTTP a handler may touch. */
export type Http = {
  requestId: string;
  address: string;
  userAgent: string | undefined;
  /** The cookie that `rememberDevice` set. */
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
/** For what waits for somebody outside: it writes nothing, and gives back what writes and answers. */
type Asks<E extends Endpoint> = {
  ask(call: Call<E>): Promise<(ctx: Ctx) => Promise<ReplyOf<E>>>;
  handle?: undefined;
};

export type Implementation<E extends Endpoint> = (Handles<E> | Asks<E>) & {
  policy: Policy;
  /** Allowances for one address, all nodes together. */
  limitByAddress?: Limit;
  /** The same for one account. */
  limitByAccount?: Limit;
  /**
   * false: an Idempotency-Key is accepted but this operation guards itself (it counts attempts that must last).
   * by-address: the key is the address's, because whoever asks again may have the session by then.
   */
  keyed?: boolean | 'by-address';
  /** The body of a refusal, where the specification gives this operation its own; undefined leaves the usual one. */
  refusal?: (error: AppError) => Record<string, unknown> | undefined;
};

/** Every operation that was implemented, for the check that all of the contract is served. */
export const implemented = new WeakMap<FastifyInstance['server'], Set<string>>();

/** Requests a minute, whatever is asked; services are trusted with what they do. A whole office may be one address. */
const PER_MINUTE = { user: 6_000, anonymous: 12_000 };

/** The date of the contract that deprecates, as RFC 9745 wants it. */
const DEPRECATED_SINCE = '@1767225600';

function asLocale(value: unknown): Locale | undefined {
  return value === undefined ? undefined : LOCALES.find((locale) => locale === value);
}

function localeOf(request: FastifyRequest, viewer: Viewer): Locale {
  const query = request.query as { locale?: unknown } | undefined; // parsed by Fastify, values unknown
  const body = request.body as { locale?: unknown } | undefined | null; // the same
  return negotiateLocale({
    explicit: asLocale(query?.locale) ?? asLocale(body?.locale),
    user: viewer.kind === 'user' && viewer.localeChosen ? viewer.locale : undefined,
    cookie: request.cookies['locale'],
    acceptLanguage: request.headers['accept-language'],
  });
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

/** Gives a session to whoever may not have heard of it, while it opens something. */
async function openAgain(ctx: Ctx, reply: FastifyReply, { token, maxAgeSeconds }: OpenedSession): Promise<void> {
  if (await ctx.sessions.find(token)) setSessionCookie(reply, ctx.config, token, maxAgeSeconds);
}

const isForOffice = ({ auth }: Endpoint) => auth === 'admin' || auth === 'service';

/** With ADMIN_SECOND_FACTOR=required an administrator without a second factor administers nothing. */
function requireOwnFactor(ctx: Ctx, viewer: Viewer): void {
  if (ctx.config.adminSecondFactor === 'required' && isUser(viewer) && !viewer.hasSecondFactor)
    throw new AppError('auth.second_factor_missing');
}

/** Whether its body may be larger than that of most operations, as files are. */
const isLarge = ({ bodyLimit = 0, upload }: Endpoint) => upload !== undefined || bodyLimit > BODY_LIMIT;

/** May they call this at all? Who has an account and tries what is for administrators is noted, once an hour for each. */
async function checkPolicy(ctx: Ctx, endpoint: Endpoint, policy: Policy, viewer: Viewer): Promise<void> {
  try {
    policy.check(viewer);
    if (isForOffice(endpoint)) requireOwnFactor(ctx, viewer);
  } catch (error) {
    if (viewer.kind === 'user' && isForOffice(endpoint))
      await recordHourly(ctx.lastingDb, viewer, { action: 'access.refuse', object: endpoint.name });
    throw error;
  }
}

function requireWebhookKey(ctx: Ctx, request: FastifyRequest): void {
  const given = request.headers['x-webhook-key'];
  let isKnown = false;
  for (const key of ctx.config.webhookKeys) if (typeof given === 'string' && isSameSecret(key, given)) isKnown = true;
  if (!isKnown) throw new AppError('auth.wrong_key');
}

/**
 * Serves one operation of the contract: who may call at all, input checked, handler called, the answer written through
 * a serializer compiled from the contract, which drops what the contract does not name.
 */
export function implement<const E extends Endpoint>(
  app: FastifyInstance,
  ctx: Ctx,
  endpoint: E,
  implementation: Implementation<E>,
): void {
  const { policy, limitByAddress, limitByAccount, refusal } = implementation;
  if (!policy?.serves.includes(endpoint.auth))
    throw new Error(`${endpoint.name} (${endpoint.auth}) has no policy that serves it`);

  /** Who asks; throws unless they may call the operation at all. */
  const admit = async (request: FastifyRequest, reply: FastifyReply): Promise<Viewer> => {
    const asking = endpoint.auth === 'webhook' ? ({ kind: 'anonymous' } as const) : await viewerOf(ctx, request);
    const viewer: Viewer = { ...asking, requestId: request.id };
    if (ctx.allowances && viewer.kind !== 'service') {
      const standing =
        viewer.kind === 'user'
          ? ctx.allowances.take(viewer.id, PER_MINUTE.user)
          : ctx.allowances.takeByAddress(request.ip, PER_MINUTE.anonymous);
      showStanding(reply, standing);
    }
    await checkPolicy(ctx, endpoint, policy, viewer);
    return viewer;
  };

  /** Megabytes are read and parsed only for callers who may send them, who are checked again once they have come. */
  const beforeBody =
    endpoint.auth === 'webhook'
      ? async (request: FastifyRequest) => requireWebhookKey(ctx, request)
      : isLarge(endpoint)
        ? async (request: FastifyRequest, reply: FastifyReply) => void (await admit(request, reply))
        : undefined;

  const run = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const viewer = await admit(request, reply);
    const show = (standing: AllowanceStanding | undefined) => standing && showStanding(reply, standing);
    if (limitByAddress) show(await takeAddressLimit(ctx, endpoint.name, request.ip, limitByAddress));
    if (limitByAccount && isUser(viewer))
      show(await takeLimit(ctx, `${endpoint.name}:${viewerId(viewer)}`, limitByAccount));
    const input = parseInput(endpoint, request);
    let session: OpenedSession | undefined;
    const http = httpOf(ctx, request, reply, (opened) => {
      session = opened;
    });
    const callOf = (callCtx: Ctx) =>
      // parseInput and policy.check made these what the types say
      ({ ...input, ctx: callCtx, viewer, locale: localeOf(request, viewer), http }) as unknown as Call<E>;
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
      reply
        .header('content-type', 'application/json; charset=utf-8')
        .serializer((body: unknown) => JSON.stringify(body));
    return outcome.body;
  };

  const known = implemented.get(app.server) ?? new Set();
  known.add(endpoint.name);
  implemented.set(app.server, known);

  app.route({
    method: endpoint.method,
    url: mountedPath(endpoint).replace(/\{(\w+)\}/g, ':$1'),
    bodyLimit: endpoint.bodyLimit,
    exposeHeadRoute: false, // some GETs use a secret up
    schema: { response: replySchemas(endpoint) },
    config: { isData: endpoint.download === undefined },
    errorHandler: refusal && ((error, request, reply) => void sendError(error, request, reply, refusal)),
    onRequest: beforeBody,
    handler: async (request, reply) => {
      reply.code(usualStatus(endpoint)).header('cache-control', 'no-store');
      if (endpoint.deprecated) reply.header('deprecation', DEPRECATED_SINCE);
      const running = run(request, reply);
      // Also of what was refused, which may have counted or ended something.
      const result = await (mayWrite(endpoint)
        ? running.finally(() => {
            // Before the answer, so that nobody who has it is shown what was remembered before.
            if (endpoint.method !== 'GET') ctx.written.times += 1;
            return leaveMark(ctx, request, reply);
          })
        : running);
      if (result instanceof JsonText) {
        reply.header('content-type', 'application/json; charset=utf-8');
        return reply.serializer((text: string) => text).send(result.text);
      }
      if (result instanceof SharedJson) return sendShared(request, reply, result);
      if (result instanceof FileReply) {
        const { content, bytes, name } = result.file;
        if (bytes !== undefined) reply.header('content-length', bytes);
        return reply
          .header('content-type', endpoint.download)
          .header('content-disposition', `attachment; filename="${name}"`)
          .header('x-content-type-options', 'nosniff')
          .send(content);
      }
      if (result === undefined || result === null) return reply.send();
      return reply.send(result);
    },
  });
}
