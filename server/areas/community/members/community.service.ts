import type { CommunityKind, CommunityPage, CommunitySummary } from '@officium/contract/community';
import type { z } from 'zod';
import { admits, communityLevel, communitySight, NONE, openCommunitySlugs, SCOPES } from '#server/access/can.ts';
import { isActive, isAdministrator, isLockedOut, type Viewer, viewerId } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { membershipOf, toAccess } from './access.service.ts';
import { findAllAccess, findCommunities, getCommunity } from './community.repository.ts';
import type { Reader } from '../reader.sql.ts';
import { toCommunityPage, toCommunitySummary } from './community.view.ts';

export async function readCommunity(ctx: Ctx, reader: Reader, slug: string): Promise<z.output<typeof CommunityPage>> {
  const row = await getCommunity(ctx.db, reader, slug);
  const access = toAccess(reader.viewer, row);
  return toCommunityPage(row!, access); // toAccess refused its absence
}

export async function listCommunities(
  ctx: Ctx,
  reader: Reader,
  page: { limit: number; offset: number; find?: string; show?: CommunityKind },
): Promise<{ communities: z.output<typeof CommunitySummary>[]; total: number }> {
  const { viewer } = reader;
  const listed = {
    scopes: isLockedOut(viewer) ? [] : SCOPES.filter((scope) => admits(scope, viewer, false)),
    seesAll: isAdministrator(viewer),
    hasOwn: isActive(viewer),
    slugs: openCommunitySlugs(viewer),
  };
  const { rows, total } = await findCommunities(ctx.db, reader, listed, page);
  return { communities: rows.map((row) => toCommunitySummary(row, toAccess(viewer, row))), total };
}

/**
 * The ids of the communities a viewer may come upon without a link: their pages, what is posted in them, and what is
 * replied, which is for members. An administrator, whose reading of closed ones is noted, comes upon no more of these
 * than a member.
 */
export async function readableCommunities(
  ctx: Ctx,
  viewer: Viewer,
): Promise<{ communities: string[]; discussions: string[]; replies: string[] }> {
  const rows = await findAllAccess(ctx.db, viewerId(viewer));
  const found = rows.flatMap((row) => {
    const membership = membershipOf(viewer, row);
    const sight = communitySight(viewer, row, membership);
    const hasLevel = communityLevel(viewer, row, membership) > NONE;
    const isMember = membership?.status === 'active' && hasLevel;
    if (sight === 'hidden' || (row.privacy.endsWith('-hidden') && !isMember)) return [];
    return [{ id: row.id, isOpen: sight === 'content' && (isMember || row.privacy.startsWith('open-')), hasLevel }];
  });
  const open = found.filter(({ isOpen }) => isOpen);
  return {
    communities: found.map(({ id }) => id),
    discussions: open.map(({ id }) => id),
    replies: open.filter(({ hasLevel }) => hasLevel).map(({ id }) => id),
  };
}
