import { listSharedDiscussions, type SharedDiscussion } from '@officium/contract/lesson-shares';
import type { load } from '../../server/api.ts';
import { loadSharedCard } from './lazy-shared-card.tsx';

type Args = Pick<Awaited<ReturnType<typeof load>>, 'attempt' | 'viewer' | 'locale'>;

/** The lesson discussions that posts share and the viewer may read, by post. Nobody reads lessons without an account. */
export async function loadShared(
  { attempt, viewer, locale }: Args,
  slug: string,
  posts: readonly string[],
): Promise<Map<string, SharedDiscussion>> {
  if (!viewer || viewer.limited || posts.length === 0) return new Map();
  const query = { activities: posts.join(','), locale };
  const found = await attempt(listSharedDiscussions, { params: { slug }, query });
  if (!found.ok || found.body.discussions.length === 0) return new Map();
  await loadSharedCard();
  return new Map(found.body.discussions.map((shared) => [shared.activityId, shared]));
}
