import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RouterContext, ServerBuild } from 'react-router';
import type { PageContext, PageSite, Viewer } from './app/server/page-context.ts';
import { serveAssets } from './assets.ts';
import { compressed, compressedAtOnce } from './compress.ts';
import { cookiesOf, cookiesToSet } from './cookies.ts';
import { WEB_DIR } from './build.ts';
import { createVisitorPages, type ReadVersion, type VisitorPage, withNonce, withoutNonce } from './visitor-pages.ts';
import { getInProcess } from './in-process.ts';
import { TOO_LARGE, toWebRequest } from './web-request.ts';
import { withMark } from './write-mark.ts';
import type { ShownFrom } from './app/server/pictures.ts';

export type MountOptions = {
  /** Uses Vite in development, else the built handler of web/build. */
  dev: boolean;
  /** PUBLIC_URL: the origin of all page addresses, whatever the Host header says. */
  publicUrl: string;
  /** The name, texts and colours of the site, as they are now. */
  site: () => PageSite;
  /** Maps picture addresses to those that pages load; unchanged by default. */
  shownFrom?: ShownFrom;
  /** The CSP nonce of a request, for all scripts of the page; by default that of `server/http/safe-headers.ts`. */
  getNonce?: (request: FastifyRequest, reply: FastifyReply) => string | undefined;
  /** Limits of forms with files, by path prefix. The first match applies. */
  largeForms?: LargeForms;
  /** Lets finished pages be sent to further visitors without a session. */
  readVersion?: ReadVersion;
  /** Headers by which the API calls of one page read together, until it is closed. */
  openReads?: () => { headers: Record<string, string>; close(): void };
};

/** Size limit of a form, and who may use it. */
type LargeForms = Readonly<Record<string, { bytes: number; from: 'administrators' | 'authors' | 'people' }>>;

/** Size limit of all other forms: the longest text the API accepts, with every character escaped. */
export const FORM_BYTES = 4 * 1024 * 1024;
/**
 * Size limit of forms without a session, which anybody can send in any number: one of the longest texts, of somebody whose
 * session ended meanwhile.
 */
export const VISITOR_FORM_BYTES = 512 * 1024;

type Handler = (request: Request, ctx: PageContext) => Promise<Response>;
type Middleware = (request: FastifyRequest, reply: FastifyReply) => Promise<boolean>;

/** Serves the web: assets, then every path that no other route handles. Register it after the API. */
export async function mountWeb(app: FastifyInstance, options: MountOptions): Promise<void> {
  // React selects its build by NODE_ENV at first import; the development build is about three times slower.
  process.env.NODE_ENV ??= options.dev ? 'development' : 'production';
  const origin = new URL(options.publicUrl).origin;
  const isSecure = origin.startsWith('https:');
  const { largeForms = {}, getNonce = ownNonce, shownFrom = (address) => address, openReads } = options;
  const visitorPages = options.readVersion && !options.dev ? createVisitorPages(options.readVersion) : undefined;
  const { handle, middleware } = options.dev ? await devHandler(app) : await builtHandler(app);

  await app.register(async (web) => {
    // React Router reads bodies itself, so Fastify's limit does not apply; `limited` counts instead.
    web.removeAllContentTypeParsers();
    web.addContentTypeParser('*', (_request, payload, done) => done(null, payload));

    web.all('/*', { config: { web: true } }, async (request, reply) => {
      const path = request.raw.url ?? '/';
      // A web Request must not have the method TRACE.
      if (!path.startsWith('/') || path.startsWith('/api/') || request.method === 'TRACE') return reply.callNotFound();
      if (isCrossSite(request, origin))
        return reply.code(403).type('text/plain').send('The form came from another site.');
      if (await middleware?.(request, reply)) return reply.hijack();

      const nonce = getNonce(request, reply);
      const visit = visitorPages?.visitOf(request, cookiesOf(request.headers.cookie, isSecure), options.site());
      const found = visit && (await visitorPages!.find(visit)); // exists with a visit
      if (found && 'page' in found) return sendPage(request, reply, found.page, nonce);

      const cookies: string[] = [];
      const reads = openReads?.();
      if (reads) reply.raw.once('close', reads.close);
      const ctx = makePageContext(app, request, {
        origin,
        cookies,
        reads: reads?.headers,
        shownFrom,
        site: options.site(),
        nonce,
        isDev: options.dev,
      });
      const bodyLimit = await bodyLimitOf(request.raw, largeForms, () => viewerOf(ctx));
      if (Number(request.headers['content-length'] ?? 0) > bodyLimit) {
        return reply.code(413).type('text/plain').send(TOO_LARGE);
      }
      const { webRequest, isTooLarge } = toWebRequest(request, reply, origin, bodyLimit);
      const response = await handle(webRequest, ctx);
      if (isTooLarge()) return reply.code(413).type('text/plain').send(TOO_LARGE);
      const setCookies = cookiesToSet(response, cookies, isSecure);
      if (visit && found && ctx.page && nonce && response.status === 200 && setCookies.length === 0) {
        const page = { parts: withoutNonce(await text(ctx.page), nonce), headers: [...response.headers] };
        if (ctx.isLight) visitorPages!.keep(visit, page, found); // exists with a visit
        return sendPage(request, reply, page, nonce);
      }
      const body = ctx.page ?? (response.body && Readable.fromWeb(response.body as never));
      return answer(reply, { request, response, body, cookies: setCookies });
    });
  });
}

function ownNonce(_request: FastifyRequest, reply: FastifyReply): string | undefined {
  return (reply as { cspNonce?: { script?: string } | null }).cspNonce?.script; // the decoration, if registered
}

/**
 * Accepts forms from our own pages only. Actions call the API as same-origin, so the API's own check cannot see this.
 * It also protects visitors without a session, who could otherwise be signed in to another account.
 */
function isCrossSite({ method, headers }: FastifyRequest, origin: string): boolean {
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return false;
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  return headers.origin !== undefined ? headers.origin !== origin : headers.cookie !== undefined;
}

/** Calls the API as this visitor and collects the cookies it sets in `cookies`. */
function makePageContext(
  app: FastifyInstance,
  request: FastifyRequest,
  {
    cookies,
    reads,
    ...given
  }: Pick<PageContext, 'origin' | 'nonce' | 'isDev' | 'shownFrom' | 'site'> & {
    cookies: string[];
    reads: Record<string, string> | undefined;
  },
): PageContext {
  // inject refuses undefined headers.
  const visitor: Record<string, string> = { ...reads };
  for (const name of ['cookie', 'host', 'user-agent', 'accept-language'] as const) {
    const value = request.headers[name];
    if (value !== undefined) visitor[name] = value;
  }
  return {
    ...given,
    report: (error) => request.log.error({ err: error }, 'page request failed'),
    cookies: cookiesOf(request.headers.cookie, given.origin.startsWith('https:')),
    async send({ method, path, body, headers }) {
      const asked = {
        url: path,
        remoteAddress: request.ip,
        headers: { ...visitor, 'sec-fetch-site': 'same-origin', accept: 'application/json', ...headers },
      };
      const reply =
        method === 'GET'
          ? await getInProcess(app, asked)
          : await app.inject({
              ...asked,
              method: method as 'POST', // inject types its methods; ours come from the contract
              // Bytes are sent as they are; inject serialises other values as JSON.
              payload: body instanceof Uint8Array ? Buffer.from(body) : (body as object | undefined),
            });
      const set = reply.headers['set-cookie'];
      if (set !== undefined) {
        cookies.push(...[set].flat());
        const marked = withMark(visitor['cookie'] ?? '', [set].flat());
        if (marked !== '') visitor['cookie'] = marked;
      }
      return { status: reply.statusCode, text: reply.body, headers: reply.headers as Record<string, string> };
    },
  };
}

/**
 * The size limit of a request body, in bytes. Forms are held in memory, so large ones are accepted only from those who
 * may send them.
 */
export async function bodyLimitOf(
  { url = '/', headers }: Pick<IncomingMessage, 'url' | 'headers'>,
  largeForms: LargeForms,
  fetchViewer: () => Promise<Viewer | null>,
): Promise<number> {
  const isChunked = headers['transfer-encoding'] !== undefined;
  if (!isChunked && Number(headers['content-length'] ?? 0) <= VISITOR_FORM_BYTES) return VISITOR_FORM_BYTES;
  const viewer = await fetchViewer();
  if (!viewer) return VISITOR_FORM_BYTES;
  const [, large] = Object.entries(largeForms).find(([beginning]) => url.startsWith(beginning)) ?? [];
  if (!large || viewer.limited || viewer.role === 'inactive') return FORM_BYTES;
  if (large.from === 'people' || viewer.role === 'administrator') return large.bytes;
  return large.from === 'authors' && viewer.capabilities.includes('edit-content') ? large.bytes : FORM_BYTES;
}

async function viewerOf({ send }: PageContext): Promise<Viewer | null> {
  const { status, text } = await send({ method: 'GET', path: '/api/auth/session' });
  if (status !== 200) return null;
  const { viewer } = JSON.parse(text) as { viewer: Viewer | null }; // shape: contract/auth.ts, readSession
  return viewer;
}

/** Sends a finished page with the nonce of this answer. */
function sendPage(request: FastifyRequest, reply: FastifyReply, page: VisitorPage, nonce: string | undefined) {
  for (const [name, value] of page.headers) reply.header(name, value);
  reply.header('cache-control', 'private, no-cache');
  return reply.send(compressedAtOnce(request, reply, withNonce(page.parts, nonce)));
}

type Answer = { request: FastifyRequest; response: Response; body: Readable | null; cookies: string[] };

function answer(reply: FastifyReply, { request, response, body, cookies }: Answer) {
  reply.code(response.status);
  for (const [name, value] of response.headers) if (name !== 'set-cookie') reply.header(name, value);
  if (cookies.length) reply.header('set-cookie', cookies);
  // Pages depend on the viewer, so shared caches must not store them.
  if (!response.headers.has('cache-control')) reply.header('cache-control', 'private, no-cache');
  return body ? reply.send(compressed(request, reply, body)) : reply.send();
}

type BuiltModule = ServerBuild & { entry: { module: { pageContext: RouterContext<PageContext> } } };

function handlerOf(
  router: typeof import('react-router'),
  build: ServerBuild,
  mode: 'development' | 'production',
): Handler {
  const { pageContext } = (build as BuiltModule).entry.module;
  // isCrossSite has checked the origin more strictly; React Router's check would also refuse forwarded ports.
  const handle = router.createRequestHandler({ ...build, allowedActionOrigins: ['**'] }, mode);
  return (request, ctx) => {
    const context = new router.RouterContextProvider();
    context.set(pageContext, ctx);
    return handle(request, context);
  };
}

async function builtHandler(app: FastifyInstance): Promise<{ handle: Handler; middleware?: Middleware }> {
  await serveAssets(app, `${WEB_DIR}/build/client`);
  const build: ServerBuild = await import(`${WEB_DIR}/build/server/index.js`);
  return { handle: handlerOf(await import('react-router'), build, 'production') };
}

async function devHandler(app: FastifyInstance): Promise<{ handle: Handler; middleware: Middleware }> {
  const { createServer } = await import('vite');
  const vite = await createServer({
    root: WEB_DIR,
    configFile: `${WEB_DIR}/vite.config.ts`,
    server: { middlewareMode: true, hmr: { server: app.server } },
    appType: 'custom',
  });
  app.addHook('onClose', () => vite.close());
  const router = await import('react-router');
  return {
    // Resolves to true when Vite has responded.
    middleware: ({ raw: request }, { raw: response }) =>
      new Promise((resolve, reject) => {
        response.once('finish', () => resolve(true));
        vite.middlewares(request, response, (error?: unknown) => (error ? reject(error as Error) : resolve(false)));
      }),
    async handle(request, ctx) {
      try {
        const build = (await vite.ssrLoadModule('virtual:react-router/server-build')) as ServerBuild;
        return await handlerOf(router, build, 'development')(request, ctx);
      } catch (error) {
        if (error instanceof Error) vite.ssrFixStacktrace(error);
        throw error;
      }
    },
  };
}
