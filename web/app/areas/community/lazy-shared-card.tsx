import { Suspense } from 'react';
import type { SharedDiscussion } from '@officium/contract/lesson-shares';
import { lazyPart } from '../../ui/lazy-part.tsx';

// Few posts share a discussion.
const card = lazyPart(async () => (await import('./shared-card.tsx')).SharedCard);

export const loadSharedCard = card.load;

export function SharedCard({ shared }: { shared: SharedDiscussion | undefined }) {
  return shared ? (
    <Suspense>
      <card.Part shared={shared} />
    </Suspense>
  ) : null;
}
