import { createContext, useContext } from 'react';
import type { StaticHandlerContext } from 'react-router';

/**
 * What a page exports as `handle` when it needs the application even for people who are not signed in:
 * `export const handle: Handle = { needsApp: true }`. Say there what would not work without it.
 */
export type Handle = { needsApp?: boolean };

type Shown = Pick<StaticHandlerContext, 'matches' | 'loaderData'>;

/**
 * Whether a page is sent without the application: to everybody who is known not to be signed in, unless the page says
 * otherwise. See docs/decisions/0016.
 */
export function isLightPage({ matches, loaderData }: Shown): boolean {
  const root = loaderData['root'] as { viewer: object | null } | undefined; // root.tsx; absent where its loader failed
  if (root?.viewer !== null) return false;
  return !matches.some(({ route }) => (route.handle as Handle | undefined)?.needsApp);
}

/** What its own scripts need: the nonce of the content security policy. */
type Light = { nonce: string | undefined };

const LightContext = createContext<Light | null>(null);
export const LightProvider = LightContext.Provider;

/**
 * Not null while the server makes a page without the application. Such a page never comes to life in the browser, so with
 * `import.meta.env.SSR &&` before it, its parts are left out of the application.
 */
export function useLight(): Light | null {
  return useContext(LightContext);
}
