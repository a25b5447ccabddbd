import { Suspense } from 'react';
import type { Follow } from '@officium/contract/follows';
import { lazyPart } from './lazy-part.tsx';

const menu = lazyPart(async () => (await import('./follow-menu.tsx')).FollowMenu);

export const loadFollowMenu = menu.load;

export function FollowMenu({ follow }: { follow: Follow | null }) {
  return follow ? (
    <Suspense>
      <menu.Part follow={follow} />
    </Suspense>
  ) : null;
}
