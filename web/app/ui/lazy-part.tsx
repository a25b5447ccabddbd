import { lazy, type ComponentType } from 'react';

/**
 * A component whose script loads only where it is shown; wrap it in `Suspense`. Call `load` in the loader, because the
 * server must have it before rendering.
 */
export function lazyPart<P extends object>(
  get: () => Promise<ComponentType<P>>,
): { Part: ComponentType<P>; load: () => Promise<void> } {
  if (!import.meta.env.SSR) {
    const Part = lazy(async () => ({ default: await get() }));
    return { Part: (props: P) => <Part {...props} />, load: async () => {} };
  }
  let Loaded: ComponentType<P> | undefined;
  return {
    Part: (props: P) => (Loaded ? <Loaded {...props} /> : null),
    load: async () => {
      Loaded ??= await get();
    },
  };
}
