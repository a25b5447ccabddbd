import type { Locale } from '@officium/contract/common';
import { isShutOut } from '#server/access/can.ts';
import type { UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { getProfileFor } from '#server/areas/account/profile.service.ts';
import { findMemberships, type UserMembershipRow } from './membership.repository.ts';
import { idOf, mayOpen, openUser } from './user-access.service.ts';

type Query = { ref: string; locale: Locale };

/** Communities that a user's profile shows the viewer. */
export async function listCommunities(
  ctx: Ctx,
  viewer: UserViewer,
  { ref, locale }: Query,
): Promise<{ slug: string; title: string; role: 'owner' | 'member' }[]> {
  return (await getProfileFor(ctx, viewer, { id: ref, locale })).communities;
}

/** All memberships for the user and administrators. Other viewers get those that the profile shows. */
export async function listMemberships(ctx: Ctx, viewer: UserViewer, query: Query): Promise<UserMembershipRow[]> {
  if (mayOpen(viewer, query.ref)) {
    const all = await findMemberships(ctx.db, (await openUser(ctx, viewer, query.ref)).id);
    return all.filter(({ slug }) => !isShutOut(viewer, slug));
  }
  const shown = new Set((await listCommunities(ctx, viewer, query)).map(({ slug }) => slug));
  const rows = await findMemberships(ctx.db, idOf(viewer, query.ref));
  return rows
    .filter(({ slug, status }) => status === 'active' && shown.has(slug))
    .map((row) => ({ ...row, metadata: {} }));
}
