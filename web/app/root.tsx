import type { ReactNode } from 'react';
import { data, Links, Meta, Outlet, Scripts, ScrollRestoration, useRouteLoaderData } from 'react-router';
import arabic from '@fontsource-variable/noto-sans-arabic/files/noto-sans-arabic-arabic-wght-normal.woff2?url';
import sans from '@fontsource-variable/public-sans/files/public-sans-latin-wght-normal.woff2?url';
import serif from '@fontsource-variable/source-serif-4/files/source-serif-4-latin-wght-normal.woff2?url';
import type { Route } from './+types/root';
import { viewerOf } from './api.ts';
import stylesheet from './app.css?url';
import { doorContext, type Viewer } from './door.ts';
import { CLEAR_FLASH, readFlash, type Flash } from './form/flash.ts';
import { messagesUrl } from './messages.ts';
import { useText } from './text.tsx';
import { ErrorPage, kindOf } from './ui/error-page.tsx';
import { Layout as Frame } from './ui/layout.tsx';
import type { Theme } from './ui/theme-switch.tsx';

export type RootData = { viewer: Viewer | null; origin: string; theme: Theme; flash: Flash | null };

export async function loader({ context }: Route.LoaderArgs) {
  const { origin, cookies } = context.get(doorContext);
  const flash = readFlash(cookies['flash']);
  const theme = cookies['theme'] === 'light' || cookies['theme'] === 'dark' ? cookies['theme'] : 'auto';
  const root: RootData = { viewer: await viewerOf(context), origin, theme, flash };
  return data(root, flash ? { headers: { 'set-cookie': CLEAR_FLASH } } : undefined);
}

export const links: Route.LinksFunction = () => [
  { rel: 'stylesheet', href: stylesheet },
  { rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' },
  { rel: 'manifest', href: '/manifest.webmanifest' },
];

/** The document, for pages and for errors alike. */
export function Layout({ children }: { children: ReactNode }) {
  const { locale, dir, timeZone } = useText();
  const root = useRouteLoaderData<RootData>('root');
  const theme = root?.theme ?? 'auto';
  return (
    <html lang={locale} dir={dir} data-theme={theme === 'auto' ? undefined : theme} data-time-zone={timeZone}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="theme-color" content="#fbfaf7" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#13152a" media="(prefers-color-scheme: dark)" />
        {(locale === 'ar' ? [arabic] : [sans, serif]).map((font) => (
          <link key={font} rel="preload" as="font" type="font/woff2" href={font} crossOrigin="anonymous" />
        ))}
        <link rel="preload" as="fetch" href={messagesUrl(locale)} crossOrigin="anonymous" />
        <Meta />
        <Links />
      </head>
      <body>
        {children}
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  );
}

export default function App({ loaderData }: Route.ComponentProps) {
  return (
    <Frame viewer={loaderData.viewer} flash={loaderData.flash}>
      <Outlet />
    </Frame>
  );
}

/** For failures of the frame itself; those of pages are shown by areas/frame/pages.tsx. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <Frame viewer={null}>
      <ErrorPage kind={kindOf(error)} />
    </Frame>
  );
}
