import { lazy, type ComponentType } from 'react';

/**
 * A part of a page whose script is loaded only where the part is shown; put it into a `Suspense`. The server needs it
 * before it renders, so that what it sends is whole: call `load` in the loader.
 */
export function later<P extends object>(
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
