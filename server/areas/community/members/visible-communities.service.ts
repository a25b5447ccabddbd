import { communityLevel, communityVisibility, isShutOut, NONE } from '#server/access/can.ts';
import { type Viewer, viewerId } from '#server/access/viewer.ts';
import type { Db } from '#server/db/client.ts';
import { membershipOf } from './access.service.ts';
import { findAllAccess } from './community.repository.ts';

/** Every community with one viewer's membership, visibility and level. */
export async function findVisibility(db: Db, viewer: Viewer) {
  const rows = await findAllAccess(db, viewerId(viewer));
  return rows.map((row) => {
    const membership = membershipOf(viewer, row);
    const visibility = communityVisibility(viewer, row, membership);
    return { ...row, membership, visibility, hasLevel: communityLevel(viewer, row, membership) > NONE };
  });
}

/**
 * The communities in which a user may see their own activity: ids of those whose page, posts and replies they may read.
 * Communities that the session's token leaves out are omitted, even open ones.
 */
export async function visibleCommunities(
  db: Db,
  viewer: Viewer,
): Promise<{ communities: string[]; discussions: string[]; replies: string[] }> {
  const all = await findVisibility(db, viewer);
  const communities = all.filter(({ slug }) => !isShutOut(viewer, slug));
  return {
    communities: communities.filter(({ visibility }) => visibility !== 'hidden').map(({ id }) => id),
    discussions: communities.filter(({ visibility }) => visibility === 'content').map(({ id }) => id),
    replies: communities.filter(({ hasLevel }) => hasLevel).map(({ id }) => id),
  };
}
