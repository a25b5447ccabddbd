import { createContext, useContext } from 'react';
import type { StaticHandlerContext } from 'react-router';

/**
 * Exported as `handle` by a page that needs the application even for visitors: `export const handle: Handle = {
 * needsApp: true }`. Add a comment that says what would fail without it.
 */
export type Handle = { needsApp?: boolean };

type Shown = Pick<StaticHandlerContext, 'matches' | 'loaderData'>;

/**
 * Whether a page is sent without the application: for everyone known to be signed out, unless the page opts out. See
 * docs/decisions/0012-pages-and-offline.md.
 */
export function isLightPage({ matches, loaderData }: Shown): boolean {
  const root = loaderData['root'] as { viewer: object | null } | undefined; // from root.tsx; absent when its loader failed
  if (root?.viewer !== null) return false;
  return !matches.some(({ route }) => (route.handle as Handle | undefined)?.needsApp);
}

type Light = {
  /** The CSP nonce for its scripts. */
  nonce: string | undefined;
  /** A style sheet of fonts that its language needs. */
  largeFont: string | undefined;
};

const LightContext = createContext<Light | null>(null);
export const LightProvider = LightContext.Provider;

/**
 * Not null while the server renders a page without the application. Such a page is never hydrated: behind
 * `import.meta.env.SSR &&`, its code is dropped from the application bundle.
 */
export function useLight(): Light | null {
  return useContext(LightContext);
}
