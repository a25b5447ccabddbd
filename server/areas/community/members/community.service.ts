import type { CommunityKind, CommunityPage, CommunitySummary } from '@officium/contract/community';
import type { z } from 'zod';
import type { Viewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { toAccess, toPageAccess } from './access.service.ts';
import { findCommunities, getCommunity } from './community.repository.ts';
import type { LocalViewer } from '../viewer.sql.ts';
import { findVisibility } from './visible-communities.service.ts';
import { toCommunityPage, toCommunitySummary } from './community.view.ts';

export async function readCommunity(
  ctx: Ctx,
  localViewer: LocalViewer,
  slug: string,
): Promise<z.output<typeof CommunityPage>> {
  const row = await getCommunity(ctx.db, localViewer, slug);
  const access = toPageAccess(localViewer.viewer, row);
  return toCommunityPage(row!, access, localViewer.locale); // toPageAccess throws without a row
}

export async function listCommunities(
  ctx: Ctx,
  localViewer: LocalViewer,
  page: { limit: number; offset: number; find?: string; show?: CommunityKind },
): Promise<{ communities: z.output<typeof CommunitySummary>[]; total: number }> {
  const { viewer } = localViewer;
  const { rows, total } = await findCommunities(ctx.db, localViewer, page);
  return { communities: rows.map((row) => toCommunitySummary(row, toAccess(viewer, row), localViewer.locale)), total };
}

/**
 * The ids of the communities a viewer may find without a link: by page, by posts, and by replies, which are for
 * members. Administrators find no more closed communities than a member does, because their reading of those is
 * audited. `slug` leaves at most that one.
 */
export async function readableCommunities(
  ctx: Ctx,
  viewer: Viewer,
  slug?: string,
): Promise<{ communities: string[]; discussions: string[]; replies: string[] }> {
  const all = await findVisibility(ctx.db, viewer);
  const found = all.flatMap(({ id, slug: own, privacy, membership, visibility, hasLevel }) => {
    if (slug !== undefined && own !== slug) return [];
    const isMember = membership?.status === 'active' && hasLevel;
    if (visibility === 'hidden' || (privacy.endsWith('-hidden') && !isMember)) return [];
    return [{ id, isOpen: visibility === 'content' && (isMember || privacy.startsWith('open-')), hasLevel }];
  });
  const open = found.filter(({ isOpen }) => isOpen);
  return {
    communities: found.map(({ id }) => id),
    discussions: open.map(({ id }) => id),
    replies: open.filter(({ hasLevel }) => hasLevel).map(({ id }) => id),
  };
}
