import { useState, useSyncExternalStore, type ReactNode } from 'react';
import {
  data,
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  UNSAFE_useScrollRestoration,
  useRouteLoaderData,
} from 'react-router';
import type { Route } from './+types/root';
import { inboxOf, localeOf, viewerOf } from './server/api.ts';
import stylesheet from './app.css?url';
import { pageContext } from './server/page-context.ts';
import { fontsOf } from './fonts.ts';
import { CLEAR_FLASH, readFlash } from './form/flash.ts';
import { useLight } from './light/light.ts';
import { LightScripts } from './light/light-scripts.tsx';
import { messagesUrl } from './messages.ts';
import { useSavedCopy } from './offline/offline.ts';
import { DISMISSED } from './notice-times.ts';
import { noticesFor } from './notices.ts';
import type { RootData } from './root-data.ts';
import { frameSiteOf } from './site.ts';
import { useText } from './text.tsx';
import { ErrorPage, kindOf } from './ui/error-page.tsx';
import { Layout as Frame } from './ui/layout.tsx';
import { loadSiteNotices } from './ui/lazy-site-notices.tsx';

export async function loader({ request, context }: Route.LoaderArgs) {
  const { origin, cookies, site } = context.get(pageContext);
  const flash = readFlash(cookies['flash']);
  const theme = cookies['theme'] === 'light' || cookies['theme'] === 'dark' ? cookies['theme'] : 'auto';
  const [viewer, inbox, locale] = await Promise.all([viewerOf(context), inboxOf(context), localeOf(request, context)]);
  const notices = noticesFor(site, {
    locale,
    isSignedIn: viewer !== null,
    dismissed: cookies[DISMISSED],
    now: Date.now(),
  });
  if (notices.length > 0) await loadSiteNotices();
  const root: RootData = { viewer, inbox, origin, theme, flash, site: frameSiteOf(site, locale), notices };
  return data(root, flash ? { headers: { 'set-cookie': CLEAR_FLASH } } : undefined);
}

export const links: Route.LinksFunction = () => [
  { rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' },
  { rel: 'manifest', href: '/manifest.webmanifest' },
];

/** The document, for pages and errors alike. */
export function Layout({ children }: { children: ReactNode }) {
  const { locale, dir, timeZone } = useText();
  const root = useRouteLoaderData<RootData>('root');
  const theme = root?.theme ?? 'auto';
  const light = useLight();
  return (
    <html
      lang={locale}
      dir={dir}
      data-theme={theme === 'auto' ? undefined : theme}
      data-time-zone={timeZone}
      data-light={light ? '' : undefined}
    >
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="theme-color" content="#fbfaf7" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#13152a" media="(prefers-color-scheme: dark)" />
        {fontsOf(locale).map((font) => (
          <link key={font} rel="preload" as="font" type="font/woff2" href={font} crossOrigin="anonymous" />
        ))}
        {light ? null : <link rel="preload" as="fetch" href={messagesUrl(locale)} crossOrigin="anonymous" />}
        <Meta />
        <Links />
        {/* `precedence` keeps the style sheet in place when React rebuilds the document, which would flash unstyled. */}
        <link rel="stylesheet" href={stylesheet} precedence="app" />
        {root?.site.hasAccent ? (
          <link rel="stylesheet" href={`/site.css?v=${root.site.version}`} precedence="site" />
        ) : null}
      </head>
      <body>
        {children}
        {/* In the body, where it does not delay what stands before it. The application loads such fonts itself. */}
        {import.meta.env.SSR && light?.largeFont ? <link rel="stylesheet" href={light.largeFont} /> : null}
        {import.meta.env.SSR && light ? <LightScripts nonce={light.nonce} /> : <AppScripts />}
      </body>
    </html>
  );
}

const never = () => () => {};

/**
 * React rebuilds the document after an error, and when a page differs from what the server sent. The scripts have run
 * by then, and Trusted Types would refuse to write them again.
 */
function AppScripts() {
  const areSent = useSyncExternalStore(
    never,
    () => false,
    () => true,
  );
  const [areNew] = useState(areSent);
  if (!areNew) return <KeepScroll />;
  return (
    <>
      <ScrollRestoration />
      <Scripts />
    </>
  );
}

/** ScrollRestoration without its inline script, which only serves the first page. */
function KeepScroll() {
  UNSAFE_useScrollRestoration();
  return null;
}

export default function App({ loaderData }: Route.ComponentProps) {
  return (
    <Frame viewer={loaderData.viewer} flash={loaderData.flash}>
      <Outlet />
    </Frame>
  );
}

/** Shows failures of the frame itself; areas/frame/pages.tsx shows those of pages. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const kind = kindOf(error);
  useSavedCopy(kind === 'offline');
  return (
    <Frame viewer={null}>
      <ErrorPage kind={kind} />
    </Frame>
  );
}
