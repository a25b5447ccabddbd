import { communityLevel, communitySight, isShutOut, NONE } from '#server/access/can.ts';
import { type Viewer, viewerId } from '#server/access/viewer.ts';
import type { Db } from '#server/db/client.ts';
import { membershipOf } from './access.service.ts';
import { findAllAccess } from './community.repository.ts';

/**
 * The communities in which a person may see their own activity: ids of those whose page they may open, whose posts they
 * may read and whose replies they may read. Communities that the session's token omits are left out, even open ones.
 */
export async function openCommunities(
  db: Db,
  viewer: Viewer,
): Promise<{ communities: string[]; discussions: string[]; replies: string[] }> {
  const rows = await findAllAccess(db, viewerId(viewer));
  const named = rows.filter(({ slug }) => !isShutOut(viewer, slug));
  const sights = named.map((row) => {
    const membership = membershipOf(viewer, row);
    const sight = communitySight(viewer, row, membership);
    return { id: row.id, sight, hasLevel: communityLevel(viewer, row, membership) > NONE };
  });
  return {
    communities: sights.filter(({ sight }) => sight !== 'hidden').map(({ id }) => id),
    discussions: sights.filter(({ sight }) => sight === 'content').map(({ id }) => id),
    replies: sights.filter(({ hasLevel }) => hasLevel).map(({ id }) => id),
  };
}
