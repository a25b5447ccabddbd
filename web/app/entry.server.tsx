import { isbot } from 'isbot';
import { renderToPipeableStream } from 'react-dom/server';
import { type EntryContext, isRouteErrorResponse, type RouterContextProvider, ServerRouter } from 'react-router';
import { localeOf, timeZoneOf } from './server/api.ts';
import stylesheet from './app.css?url';
import { pageContext } from './server/page-context.ts';
import { coalesceWrites } from './server/coalesce-writes.ts';
import { cachedHtml } from './server/html-cache.ts';
import { largeFontOf } from './large-fonts.ts';
import { isLightPage, LightProvider } from './light/light.ts';
import { loadMessages } from './messages.ts';
import { TextProvider } from './text.tsx';
import { HtmlCacheProvider } from './ui/shared-html.tsx';

// mount.ts takes the context key from this bundle: its own copy of the module would be a different key.
export { pageContext };

export const streamTimeout = 5_000;

/**
 * Renders the document. Streams it once the shell is ready; for crawlers and pages without the application it waits for
 * all content.
 */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  headers.set('content-type', 'text/html; charset=utf-8');
  // Preloaded before the fonts, which the head lists first: nothing is painted without it.
  headers.append('link', `<${stylesheet}>; rel=preload; as=style`);
  if (request.method === 'HEAD') return new Response(null, { status, headers });

  const ctx = context.get(pageContext);
  const { nonce, report } = ctx;
  const locale = await localeOf(request, context);
  const timeZone = timeZoneOf(context);
  const messages = await cachedMessages(locale);
  // Development needs the application to rebuild pages.
  const isLight = !import.meta.env.DEV && isLightPage(routerContext.staticHandlerContext);
  ctx.isLight = isLight;
  const isWhole = isLight || isbot(request.headers.get('user-agent') ?? '');

  return new Promise((resolve, reject) => {
    let isSent = false;
    const { pipe, abort } = renderToPipeableStream(
      <TextProvider locale={locale} messages={messages} timeZone={timeZone}>
        <LightProvider value={isLight ? { nonce, largeFont: largeFontOf(locale) } : null}>
          <HtmlCacheProvider value={cachedHtml}>
            <ServerRouter context={ownRoutes(routerContext)} url={request.url} nonce={nonce} />
          </HtmlCacheProvider>
        </LightProvider>
      </TextProvider>,
      {
        nonce,
        // A large boundary would be sent hidden, to be moved into place by script.
        progressiveChunkSize: Infinity,
        [isWhole ? 'onAllReady' : 'onShellReady']() {
          isSent = true;
          ctx.page = pipe(coalesceWrites(() => clearTimeout(timer)));
          resolve(new Response(null, { status, headers }));
        },
        onShellError: reject,
        onError(error: unknown) {
          // Before the shell is sent, the error rejects the response and is logged there.
          if (isSent && !request.signal.aborted) report(error);
        },
      },
    );
    const timer = setTimeout(abort, streamTimeout + 1000);
    request.signal.addEventListener('abort', () => abort(request.signal.reason), { once: true });
  });
}

/** ServerRouter prepares every route of the manifest for each page, which renders only those it matches. */
function ownRoutes(context: EntryContext): EntryContext {
  const { manifest, staticHandlerContext } = context;
  const routes = staticHandlerContext.matches.map(({ route: { id } }) => [id, manifest.routes[id]]);
  return { ...context, manifest: { ...manifest, routes: Object.fromEntries(routes) } };
}

/** Logs failures of loaders and actions. A refusal such as 405 for a form that the page does not have is none. */
export function handleError(error: unknown, { request, context }: HandleErrorArgs): void {
  if (request.signal.aborted || (isRouteErrorResponse(error) && error.status < 500)) return;
  context.get(pageContext).report(error);
}
type HandleErrorArgs = { request: Request; context: Readonly<RouterContextProvider> };

type Loaded = Awaited<ReturnType<typeof loadMessages>>;
const catalogues = new Map<string, Promise<Loaded>>();

function cachedMessages(locale: Parameters<typeof loadMessages>[0]): Promise<Loaded> {
  if (import.meta.env.DEV) return loadMessages(locale);
  let messages = catalogues.get(locale);
  if (!messages) catalogues.set(locale, (messages = loadMessages(locale)));
  return messages;
}
