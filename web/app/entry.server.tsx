import { isbot } from 'isbot';
import { renderToPipeableStream } from 'react-dom/server';
import { ServerRouter, type EntryContext, type RouterContextProvider } from 'react-router';
import { localeOf, timeZoneOf } from './api.ts';
import stylesheet from './app.css?url';
import { doorContext } from './door.ts';
import { gathered } from './gathered.ts';
import { keepHtml } from './keep-html.ts';
import { isLightPage, LightProvider } from './light/light.ts';
import { loadMessages } from './messages.ts';
import { TextProvider } from './text.tsx';
import { KeptProvider } from './ui/kept.tsx';

// mount.ts takes the key from here, for its own copy of door.ts would be another key.
export { doorContext };

export const streamTimeout = 5_000;

/** Renders the document: sent as soon as its frame stands; whole for crawlers, and where no script would add to it. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  headers.set('content-type', 'text/html; charset=utf-8');
  // Before the fonts, which the head names first: nothing is painted without it.
  headers.append('link', `<${stylesheet}>; rel=preload; as=style`);
  if (request.method === 'HEAD') return new Response(null, { status, headers });

  const door = context.get(doorContext);
  const { nonce, report } = door;
  const locale = await localeOf(request, context);
  const timeZone = timeZoneOf(context);
  const messages = await cachedMessages(locale);
  // In development pages are rebuilt through the application.
  const isLight = !import.meta.env.DEV && isLightPage(routerContext.staticHandlerContext);
  const isWhole = isLight || isbot(request.headers.get('user-agent') ?? '');

  return new Promise((resolve, reject) => {
    let isSent = false;
    const { pipe, abort } = renderToPipeableStream(
      <TextProvider locale={locale} messages={messages} timeZone={timeZone}>
        <LightProvider value={isLight ? { nonce } : null}>
          <KeptProvider value={keepHtml}>
            <ServerRouter context={routerContext} url={request.url} nonce={nonce} />
          </KeptProvider>
        </LightProvider>
      </TextProvider>,
      {
        nonce,
        // A large boundary would be sent apart, hidden, to be put into place by script.
        progressiveChunkSize: Infinity,
        [isWhole ? 'onAllReady' : 'onShellReady']() {
          isSent = true;
          door.page = pipe(gathered(() => clearTimeout(timer)));
          resolve(new Response(null, { status, headers }));
        },
        onShellError: reject,
        onError(error: unknown) {
          // Before the shell is sent the error rejects the response and is logged there.
          if (isSent && !request.signal.aborted) report(error);
        },
      },
    );
    const timer = setTimeout(abort, streamTimeout + 1000);
    request.signal.addEventListener('abort', () => abort(request.signal.reason), { once: true });
  });
}

/** Failures of loaders and actions that are not answers such as 404. */
export function handleError(error: unknown, { request, context }: HandleErrorArgs): void {
  if (!request.signal.aborted) context.get(doorContext).report(error);
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
