import { communitySight } from '#server/access/can.ts';
import { type Viewer, viewerId } from '#server/access/viewer.ts';
import type { Db } from '#server/db/client.ts';
import { membershipOf } from './access.service.ts';
import { findAllAccess } from './community.repository.ts';

/** The ids of the communities whose page somebody may open now, and of those in which they may read what is said. */
export async function openCommunities(
  db: Db,
  viewer: Viewer,
): Promise<{ communities: string[]; discussions: string[] }> {
  const rows = await findAllAccess(db, viewerId(viewer));
  const sights = rows.map((row) => ({ id: row.id, sight: communitySight(viewer, row, membershipOf(viewer, row)) }));
  return {
    communities: sights.filter(({ sight }) => sight !== 'hidden').map(({ id }) => id),
    discussions: sights.filter(({ sight }) => sight === 'content').map(({ id }) => id),
  };
}
