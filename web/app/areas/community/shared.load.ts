import { listSharedDiscussions, type SharedDiscussion } from '@officium/contract/lesson-shares';
import type { load } from '../../server/api.ts';
import { loadSharedCard } from './lazy-shared-card.tsx';
import type { SharedThing, SharedThings } from './shared-thing.ts';

type Args = Pick<Awaited<ReturnType<typeof load>>, 'attempt' | 'viewer' | 'locale'>;

/** The lesson discussions that posts share and the viewer may read, by post. Nobody reads lessons without an account. */
export async function loadShared(
  { attempt, viewer, locale }: Args,
  slug: string,
  posts: readonly string[],
): Promise<SharedThings> {
  await loadSharedCard();
  if (!viewer || viewer.limited || posts.length === 0) return new Map();
  const query = { activities: posts.join(','), locale };
  const found = await attempt(listSharedDiscussions, { params: { slug }, query });
  return new Map(found.ok ? found.body.discussions.map((shared) => [shared.activityId, toThing(shared)]) : []);
}

function toThing({ id, text, course, journeySlug, lesson, reaction_counts }: SharedDiscussion): SharedThing {
  const path = [course.slug, journeySlug, lesson.slug].map(encodeURIComponent).join('/');
  return {
    kind: 'discussion',
    path: `/courses/${path}#post-${id}`,
    place: course.title,
    title: lesson.title,
    text,
    replies: reaction_counts.reply,
  };
}
