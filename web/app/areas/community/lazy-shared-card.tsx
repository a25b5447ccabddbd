import { Suspense } from 'react';
import { lazyPart } from '../../ui/lazy-part.tsx';
import type { SharedThing } from './shared-thing.ts';

// Few posts share something.
const card = lazyPart(async () => (await import('./shared-card.tsx')).SharedCard);

export const loadSharedCard = card.load;

export function SharedCard({ shared }: { shared: SharedThing | undefined }) {
  return shared ? (
    <Suspense>
      <card.Part shared={shared} />
    </Suspense>
  ) : null;
}
