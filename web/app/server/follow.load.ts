import { type Follow, readCommunityFollow, readPersonFollow, readThreadFollow } from '@officium/contract/follows';
import { loadFollowMenu } from '../ui/lazy-follow-menu.tsx';
import type { Attempt } from './api.ts';
import type { Viewer } from './page-context.ts';

type Args = { attempt: Attempt; viewer: Viewer | null };
type Thing = { community: string } | { thread: string } | { person: string };

/** The viewer's level for a thing, and the people they muted; null for viewers who get no notifications from it. */
export async function loadFollow(
  { attempt, viewer }: Args,
  thing: Thing,
): Promise<{ follow: Follow; mutedPeople: readonly string[] } | null> {
  if (!viewer || viewer.limited || viewer.role === 'inactive') return null;
  const [answer] = await Promise.all([read(attempt, thing), loadFollowMenu()]);
  if (!answer.ok) return null;
  const { mutedPeople = [], ...follow } = answer.body as Follow & { mutedPeople?: string[] }; // absent for a person
  return { follow, mutedPeople };
}

async function read(attempt: Attempt, thing: Thing) {
  if ('community' in thing) return await attempt(readCommunityFollow, { params: { slug: thing.community } });
  if ('thread' in thing) return await attempt(readThreadFollow, { params: { id: thing.thread } });
  return await attempt(readPersonFollow, { params: { id: thing.person } });
}
