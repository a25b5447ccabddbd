import { Suspense } from 'react';
import { useRouteLoaderData } from 'react-router';
import type { RootData } from '../root-data.ts';
import { lazyPart } from './lazy-part.tsx';

const notices = lazyPart(async () => (await import('./site-notices.tsx')).SiteNotices);

export const loadSiteNotices = notices.load;

/** The notices of the site; most of the time there are none. */
export function SiteNotices() {
  const shown = useRouteLoaderData<RootData>('root')?.notices;
  return shown?.length ? (
    <Suspense>
      <notices.Part notices={shown} />
    </Suspense>
  ) : null;
}
