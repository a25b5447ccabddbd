import type { CommunityPage, CommunitySummary } from '@officium/contract/community';
import type { z } from 'zod';
import { admits, openCommunitySlugs, SCOPES } from '#server/access/can.ts';
import { isActive, isAdministrator, isLockedOut } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { toAccess } from './access.service.ts';
import { findCommunities, getCommunity } from './community.repository.ts';
import type { Reader } from './reader.sql.ts';
import { toCommunityPage, toCommunitySummary } from './community.view.ts';

export async function readCommunity(ctx: Ctx, reader: Reader, slug: string): Promise<z.output<typeof CommunityPage>> {
  const row = await getCommunity(ctx.db, reader, slug);
  const access = toAccess(reader.viewer, row);
  return toCommunityPage(row!, access); // toAccess refused its absence
}

export async function listCommunities(
  ctx: Ctx,
  reader: Reader,
  page: { limit: number; offset: number },
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
